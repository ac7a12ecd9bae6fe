import type { Search } from "@andon/console/room";
import { DLQ_SOURCES, DLQ_STATES } from "../../contract/states.ts";
import { timeIn } from "../time-in.ts";

/** The filters in the address that the API understands; all others are ignored. */
export function letterSearch(search: Search) {
  const given = {
    state: DLQ_STATES.find((state) => state === search.state),
    error: search.error,
    source: DLQ_SOURCES.find((source) => source === search.source),
    from: timeIn(search.from),
    to: timeIn(search.to),
    sample: search.sample ? ("true" as const) : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as typeof given;
}

export type LetterSearch = ReturnType<typeof letterSearch>;
