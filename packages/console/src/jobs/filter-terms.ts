import { JOB_STATES, type JobState } from "@andon/contract";
import type { Words } from "../i18n/en.ts";
import type { Search } from "../ui/address.ts";
import { FILTERS, type Filter } from "./job-search.ts";

/** What a filter is called where it is typed; its name in the reader's language is understood too. */
export const TERM: Record<Filter, string> = {
  queue: "queue",
  state: "state",
  name: "kind",
  key: "key",
  tenantId: "tenant",
  code: "code",
  fingerprint: "fingerprint",
  from: "from",
  to: "to",
  text: "text",
};

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR, d: 24 * HOUR };

/** A term such as `queue:mail` or `key:"a b"`, or a word of the text. */
const TERMS = /([^\s:"]+):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/g;

/** The filter whose term or name in words this is. */
export function filterCalled(term: string, { line }: Words): Filter | undefined {
  const wanted = term.toLowerCase();
  return FILTERS.find(
    (filter) =>
      TERM[filter] === wanted ||
      filter.toLowerCase() === wanted ||
      line.field[filter].toLowerCase() === wanted,
  );
}

/** What was typed as filters of the address: its terms, and what is left as the text. */
export function filtersIn(typed: string, words: Words, now: number): Search {
  const found: Record<string, string> = {};
  const text: string[] = [];
  for (const [whole, term, quoted, plain, phrase, word] of typed.matchAll(TERMS)) {
    const filter = term === undefined ? undefined : filterCalled(term, words);
    const value = quoted ?? plain ?? "";
    if (filter && value !== "") found[filter] = addressValue(filter, value, words, now);
    else text.push(phrase ?? word ?? whole);
  }
  return text.length > 0 ? { ...found, text: text.join(" ") } : found;
}

/** A value as the address has it: a state by its code, a time in ISO 8601. */
export function addressValue(filter: Filter, value: string, words: Words, now: number): string {
  if (filter === "state") return stateCalled(value, words) ?? value;
  return filter === "from" || filter === "to" ? timeOf(value, now) : value;
}

function stateCalled(value: string, { state }: Words): JobState | undefined {
  const wanted = value.toLowerCase();
  return JOB_STATES.find((each) => each === wanted || state[each].toLowerCase() === wanted);
}

/** `24h` is so long ago; a date or a time is meant in the reader's zone. What is neither stays, and the page says so. */
function timeOf(value: string, now: number): string {
  const [, count, unit = ""] = /^(\d+)([mhd])$/.exec(value) ?? [];
  const at = count ? now - Number(count) * (UNITS[unit] ?? HOUR) : Date.parse(localTime(value));
  return Number.isNaN(at) ? value : new Date(at).toISOString();
}

/** A date alone would be read as midnight in UTC. */
function localTime(value: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value;
}
