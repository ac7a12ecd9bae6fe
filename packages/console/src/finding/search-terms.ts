import type { Search } from "../ui/address.ts";
import type { SearchField } from "./search-field.ts";

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR, d: 24 * HOUR };

/** A term such as `queue:mail` or `key:"a b"`, or a word of the text. */
const TERMS = /([^\s:"]+):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/g;

/** The field with this term, name or label. */
export function fieldCalled(term: string, fields: readonly SearchField[]): SearchField | undefined {
  const wanted = term.toLowerCase();
  return fields.find((field) =>
    [field.term, field.name, field.label].some((each) => each.toLowerCase() === wanted),
  );
}

/** The typed text as filters of the address: its terms, and the remaining words as the text. */
export function filtersIn(typed: string, fields: readonly SearchField[], now: number): Search {
  const found: Record<string, string> = {};
  const text: string[] = [];
  for (const [whole, term, quoted, plain, phrase, word] of typed.matchAll(TERMS)) {
    const field = term === undefined ? undefined : fieldCalled(term, fields);
    const value = quoted ?? plain ?? "";
    if (field && value !== "") found[field.name] = addressValue(field, value, now);
    else text.push(phrase ?? word ?? whole);
  }
  const into = fields.find(({ isText }) => isText);
  return into && text.length > 0 ? { ...found, [into.name]: text.join(" ") } : found;
}

/** A value in the format of the address: the code of a choice, a time in ISO 8601. */
export function addressValue({ kind, values }: SearchField, value: string, now: number): string {
  if (kind === "time") return timeOf(value, now);
  const wanted = value.toLowerCase();
  const known = values?.find((each) => [each.value, each.label].some((one) => one.toLowerCase() === wanted));
  return kind === "choice" && known ? known.value : value;
}

/** `24h` means 24 hours ago; a date or time is in the reader's time zone. Any other text is kept, and the page reports it. */
function timeOf(value: string, now: number): string {
  const [, count, unit = ""] = /^(\d+)([mhd])$/.exec(value) ?? [];
  const at = count ? now - Number(count) * (UNITS[unit] ?? HOUR) : Date.parse(localTime(value));
  return Number.isNaN(at) ? value : new Date(at).toISOString();
}

/** Adds a time, because `Date.parse` reads a date alone as midnight UTC. */
function localTime(value: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value;
}
