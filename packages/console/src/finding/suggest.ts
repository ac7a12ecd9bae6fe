import type { Words } from "../i18n/en.ts";
import type { Search } from "../ui/address.ts";
import type { SearchField } from "./search-field.ts";
import { addressValue, fieldCalled } from "./search-terms.ts";

/** One suggestion of the search line. */
export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** The filters that it sets. Absent: it only starts a term, which the reader completes. */
  readonly sets?: Search;
  readonly begins?: string;
}

const MOST_VALUES = 8;
const MOST_FOR_A_WORD = 4;
const AGO = { lastHour: "1h", lastDay: "24h", lastWeek: "7d" } as const;

/** The suggestions for the typed text: values for a term, or terms and values for a word. */
export function suggestionsFor(
  typed: string,
  fields: readonly SearchField[],
  words: Words,
  now: number,
): readonly Suggestion[] {
  const text = typed.trimStart();
  const colon = text.indexOf(":");
  const field = colon > 0 ? fieldCalled(text.slice(0, colon), fields) : undefined;
  if (field) {
    const value = text.slice(colon + 1).replaceAll('"', "");
    const values = valuesOf(field, value, words, now).slice(0, MOST_VALUES);
    return values.length > 0 || value === "" ? values : [suggestionOf(field, value, value)];
  }
  const wanted = text.trim().toLowerCase();
  const terms = fields
    .filter((each) => !each.isText && isMeant(each, wanted))
    .map(({ name, term, label, hint }) => ({
      id: `term-${name}`,
      label: `${term}:`,
      hint: hint === "" ? label : `${label}: ${hint}`,
      begins: `${term}:`,
    }));
  if (wanted === "") return terms;
  const values = fields
    .filter(({ isOffered }) => isOffered)
    .flatMap((each) => valuesOf(each, wanted, words, now).slice(0, MOST_FOR_A_WORD));
  const inText = fields
    .filter(({ isText }) => isText)
    .map(({ name, label, hint }) => ({
      id: "text",
      label: words.line.containing(label, text.trim()),
      hint,
      sets: { [name]: text.trim() },
    }));
  return [...inText, ...values, ...terms];
}

function isMeant({ term, label }: SearchField, wanted: string): boolean {
  return term.startsWith(wanted) || label.toLowerCase().startsWith(wanted);
}

function valuesOf(field: SearchField, typed: string, words: Words, now: number): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  if (field.kind === "time") return timesOf(field, wanted, words, now);
  const isUnheard = new Set<string>();
  return (field.values ?? [])
    .filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(wanted))
    .filter(({ value }) => !isUnheard.has(value) && isUnheard.add(value))
    .map(({ value, label }) => suggestionOf(field, value, label));
}

function suggestionOf({ name, label: hint }: SearchField, value: string, label: string): Suggestion {
  return { id: `${name}-${value}`, label, hint, sets: { [name]: value } };
}

function timesOf(field: SearchField, wanted: string, words: Words, now: number): readonly Suggestion[] {
  const { line } = words;
  const { name, label: hint } = field;
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const offered = [
    ...(["lastHour", "lastDay", "lastWeek"] as const).map(
      (each) => [each, addressValue(field, AGO[each], now)] as const,
    ),
    ["today", new Date(midnight).toISOString()] as const,
  ];
  const typed = wanted === "" ? undefined : addressValue(field, wanted, now);
  const isTime = typed !== undefined && !Number.isNaN(Date.parse(typed));
  if (isTime) return [{ id: "typed", label: wanted, hint, sets: { [name]: typed } }];
  return offered.map(([each, value]) => ({ id: each, label: line[each], hint, sets: { [name]: value } }));
}
