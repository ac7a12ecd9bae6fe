import { JOB_STATES } from "@andon/contract";
import type { JobSummary } from "../api/client.ts";
import type { Words } from "../i18n/en.ts";
import type { Search } from "../ui/address.ts";
import { addressValue, filterCalled, TERM } from "./filter-terms.ts";
import { FILTERS, type Filter } from "./job-search.ts";

/** One thing that the search line offers. */
export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** What it sets; absent: it only begins a term, which is typed on. */
  readonly sets?: Search;
  readonly begins?: string;
}

/** What is known of values without asking: the queues, and what the jobs on the page have. */
export interface Known {
  readonly queues: readonly string[];
  readonly jobs: readonly JobSummary[];
}

const MOST_VALUES = 8;
const MOST_FOR_A_WORD = 4;
/** Looked through for a word that no term was typed for. */
const FOR_A_WORD = ["queue", "state", "name", "code", "key"] as const satisfies readonly Filter[];
const AGO = { lastHour: "1h", lastDay: "24h", lastWeek: "7d" } as const;

/** What fits what is typed: values of a term, or terms and values of a word. */
export function suggestionsFor(
  typed: string,
  known: Known,
  words: Words,
  now: number,
): readonly Suggestion[] {
  const { line } = words;
  const text = typed.trimStart();
  const colon = text.indexOf(":");
  const filter = colon > 0 ? filterCalled(text.slice(0, colon), words) : undefined;
  if (filter) {
    const value = text.slice(colon + 1).replaceAll('"', "");
    const values = valuesOf(filter, value, known, words, now).slice(0, MOST_VALUES);
    return values.length > 0 || value === "" ? values : [valueSuggestion(filter, value, value, words)];
  }
  const wanted = text.trim().toLowerCase();
  const terms = FILTERS.filter((each) => each !== "text" && isMeant(each, wanted, words)).map((each) => ({
    id: `term-${each}`,
    label: `${TERM[each]}:`,
    hint: `${line.field[each]}: ${line.hint[each]}`,
    begins: `${TERM[each]}:`,
  }));
  if (wanted === "") return terms;
  const values = FOR_A_WORD.flatMap((each) =>
    valuesOf(each, wanted, known, words, now).slice(0, MOST_FOR_A_WORD),
  );
  const inText = {
    id: "text",
    label: line.containing(text.trim()),
    hint: line.hint.text,
    sets: { text: text.trim() },
  };
  return [inText, ...values, ...terms];
}

function isMeant(filter: Filter, wanted: string, { line }: Words): boolean {
  return TERM[filter].startsWith(wanted) || line.field[filter].toLowerCase().startsWith(wanted);
}

function valuesOf(
  filter: Filter,
  typed: string,
  known: Known,
  words: Words,
  now: number,
): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  if (filter === "state") {
    return JOB_STATES.filter((each) => `${each} ${words.state[each].toLowerCase()}`.includes(wanted)).map(
      (each) => valueSuggestion(filter, each, words.state[each], words),
    );
  }
  if (filter === "from" || filter === "to") return timesOf(filter, wanted, words, now);
  const values = namesOf(filter, known).filter((each) => each.toLowerCase().includes(wanted));
  return [...new Set(values)].map((each) => valueSuggestion(filter, each, each, words));
}

function valueSuggestion(filter: Filter, value: string, label: string, { line }: Words): Suggestion {
  return { id: `${filter}-${value}`, label, hint: line.field[filter], sets: { [filter]: value } };
}

function timesOf(filter: "from" | "to", wanted: string, words: Words, now: number): readonly Suggestion[] {
  const { line } = words;
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const offered = [
    ...(["lastHour", "lastDay", "lastWeek"] as const).map(
      (name) => [name, addressValue(filter, AGO[name], words, now)] as const,
    ),
    ["today", new Date(midnight).toISOString()] as const,
  ];
  const typed = wanted === "" ? undefined : addressValue(filter, wanted, words, now);
  const isTime = typed !== undefined && !Number.isNaN(Date.parse(typed));
  if (isTime) return [{ id: "typed", label: wanted, hint: line.field[filter], sets: { [filter]: typed } }];
  return offered.map(([name, value]) => ({
    id: name,
    label: line[name],
    hint: line.field[filter],
    sets: { [filter]: value },
  }));
}

function namesOf(
  filter: Exclude<Filter, "state" | "from" | "to">,
  { queues, jobs }: Known,
): readonly string[] {
  switch (filter) {
    case "queue":
      return queues;
    case "name":
      return jobs.map(({ name }) => name);
    case "key":
      return jobs.flatMap(({ keys }) => keys);
    case "tenantId":
      return jobs.map(({ tenantId }) => tenantId);
    case "code":
      return jobs.flatMap(({ error }) => (error ? [error.code] : []));
    case "fingerprint":
      return jobs.flatMap(({ error }) => (error ? [error.fingerprint] : []));
    case "text":
      return [];
    default:
      return filter satisfies never;
  }
}
