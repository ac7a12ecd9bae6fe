import type { Words } from "../i18n/en.ts";
import { useLanguage } from "../i18n/language.ts";
import { useWords } from "../i18n/words.ts";
import { useNow } from "./now.ts";

/** A duration in its largest unit, and the next smaller unit if it matters: `2 h 5 min`. */
export function spanText(ms: number, { time }: Words): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return time.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    const rest = seconds % 60;
    return minutes < 10 && rest > 0
      ? `${time.minutes(minutes)} ${time.seconds(rest)}`
      : time.minutes(minutes);
  }
  const hours = Math.floor(minutes / 60);
  const restMinutes = minutes % 60;
  if (hours < 24)
    return restMinutes > 0 ? `${time.hours(hours)} ${time.minutes(restMinutes)}` : time.hours(hours);
  const days = Math.floor(hours / 24);
  const restHours = hours % 24;
  return days < 7 && restHours > 0 ? `${time.days(days)} ${time.hours(restHours)}` : time.days(days);
}

/** The duration of something that has ended, where parts of a second matter too. */
export function exactSpanText(ms: number, words: Words): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  return ms < 9_950 ? words.time.seconds(Math.round(ms / 100) / 10) : spanText(ms, words);
}

function relativeText(at: number, now: number, words: Words): string {
  const ms = now - at;
  if (Math.abs(ms) < 1_000) return words.time.now;
  return ms > 0 ? words.time.ago(spanText(ms, words)) : words.time.inFuture(spanText(-ms, words));
}

const DATE: Intl.DateTimeFormatOptions = { year: "numeric", month: "2-digit", day: "2-digit" };
const CLOCK: Intl.DateTimeFormatOptions = {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
};
const WHOLE: Intl.DateTimeFormatOptions = { dateStyle: "full", timeStyle: "long" };

// Created once: creating a formatter takes longer than drawing a row, and a page has hundreds of times that change every second.
/** The Swedish locale writes dates in ISO 8601, in which day and month cannot be confused. */
const isoDate = new Intl.DateTimeFormat("sv-SE", DATE);
const isoClock = new Intl.DateTimeFormat("sv-SE", CLOCK);
const wholeTime = {
  ko: new Intl.DateTimeFormat("ko", WHOLE),
  en: new Intl.DateTimeFormat("en", WHOLE),
};

/** In the local time zone: only the time for today, else with the date, and then without seconds if they are 0. */
export function absoluteText(at: number, now: number): string {
  const clock = isoClock.format(at);
  const date = isoDate.format(at);
  return date === isoDate.format(now) ? clock : `${date} ${clock.replace(/:00$/, "")}`;
}

/** A sentence of the server with the times of its facts in the page's format. A time inside a caller's text is unchanged. */
export function withLocalTimes(
  sentence: string,
  told: Readonly<Record<string, unknown>>,
  now: number,
): string {
  const facts = Object.values(told);
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => {
    const at = Date.parse(iso);
    return facts.includes(at) || facts.includes(iso) ? absoluteText(at, now) : iso;
  });
}

interface TimeProps {
  readonly at: string;
  /** `both`: the time, and how long ago it was. */
  readonly show?: "relative" | "both" | "absolute";
}

export function Time({ at, show = "relative" }: TimeProps) {
  const words = useWords();
  const language = useLanguage();
  const now = useNow();
  const ms = Date.parse(at);
  const absolute = absoluteText(ms, now);
  const relative = relativeText(ms, now, words);
  return (
    <time dateTime={at} title={wholeTime[language].format(ms)} className="whitespace-nowrap">
      {show === "absolute" ? absolute : show === "both" ? `${absolute} (${relative})` : relative}
    </time>
  );
}

/** The duration of something that lasts or has ended. */
export function Span({ from, to }: { from: string; to?: string | null }) {
  const words = useWords();
  const now = useNow();
  const start = Date.parse(from);
  const text = to ? exactSpanText(Date.parse(to) - start, words) : spanText(now - start, words);
  return <span className="whitespace-nowrap">{text}</span>;
}
