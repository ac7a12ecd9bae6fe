import type { Language } from "@andon/contract";
import { say } from "../i18n/localized.ts";
import { WORDS } from "../i18n/words.ts";

const two = (value: number) => String(value).padStart(2, "0");

/** `2026-01-20 10:30:00` in the local time zone. */
export function localTime(at: string | number): string {
  const time = new Date(at);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${clockTime(at)}`;
}

export function clockTime(at: string | number): string {
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

const UNITS = [
  { ms: 86_400_000, past: WORDS.daysAgo, future: WORDS.inDays },
  { ms: 3_600_000, past: WORDS.hoursAgo, future: WORDS.inHours },
  { ms: 60_000, past: WORDS.minutesAgo, future: WORDS.inMinutes },
  { ms: 1_000, past: WORDS.secondsAgo, future: WORDS.inSeconds },
] as const;

/** "30 min ago", "in 5 s". */
export function ago(iso: string, language: Language, now = Date.now()): string {
  const distance = now - Date.parse(iso);
  const unit = UNITS.find(({ ms }) => Math.abs(distance) >= ms);
  if (!unit) return say(WORDS.justNow, language);
  const count = Math.floor(Math.abs(distance) / unit.ms);
  return say(distance > 0 ? unit.past : unit.future, language, { count });
}

const ROUGH_UNITS = [
  { ms: 86_400_000, en: "d", ko: "일" },
  { ms: 3_600_000, en: "h", ko: "시간" },
  { ms: 60_000, en: "min", ko: "분" },
  { ms: 1_000, en: "s", ko: "초" },
] as const;

/** "2 h", "5 min": in the largest unit that fits into the time, rounded up. */
export function roughTime(ms: number, language: Language): string {
  const unit = ROUGH_UNITS.find((each) => ms >= each.ms) ?? { ms: 1_000, en: "s", ko: "초" };
  const count = Math.ceil(ms / unit.ms);
  return language === "ko" ? `${count}${unit.ko}` : `${count} ${unit.en}`;
}
