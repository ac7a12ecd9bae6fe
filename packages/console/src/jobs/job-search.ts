import { isReversible, JOB_STATES } from "@andon/contract";
import { type JobSearch, queries } from "../api/queries.ts";
import type { Search } from "../ui/address.ts";
import { pageIn } from "../ui/page-in.ts";

const TEXT_FILTERS = ["queue", "name", "key", "tenantId", "fingerprint", "code", "text"] as const;
const TIME_FILTERS = ["from", "to"] as const;

/** The names of all filters in the address. */
export const FILTERS = ["state", ...TEXT_FILTERS, ...TIME_FILTERS] as const;
export type Filter = (typeof FILTERS)[number];

/** The filters of an address, without invalid ones. */
export function jobSearchOf(search: Search): JobSearch {
  const state = JOB_STATES.find((each) => each === search.state);
  // A ticket is shown with a "#" and stored without it.
  const given: Search = { ...search, text: search.text?.replace(/^#(?=\d+$)/, "") };
  const texts = TEXT_FILTERS.flatMap((name) => (given[name] ? [[name, given[name]]] : []));
  const times = TIME_FILTERS.flatMap((name) => {
    const at = Date.parse(search[name] ?? "");
    return Number.isNaN(at) ? [] : [[name, new Date(at).toISOString()]];
  });
  return { ...(state ? { state } : {}), ...Object.fromEntries([...texts, ...times]) };
}

/** The queries of the list of jobs at this address: the page, and the counts per state. */
export function jobListAsked(search: Search) {
  const filter = jobSearchOf(search);
  const isReversed = isReversible(filter) && search.reverse === "true";
  return [
    queries.jobs(filter, pageIn(search.page), search.cursor, isReversed),
    queries.jobCounts(filter),
  ] as const;
}

/** The invalid filters: an unknown state, or a text that is not a time. */
export function unknownFilters(search: Search): readonly ("state" | (typeof TIME_FILTERS)[number])[] {
  const isUnknownState = search.state && !JOB_STATES.some((each) => each === search.state);
  const noTimes = TIME_FILTERS.filter((name) => search[name] && Number.isNaN(Date.parse(search[name])));
  return [...(isUnknownState ? (["state"] as const) : []), ...noTimes];
}
