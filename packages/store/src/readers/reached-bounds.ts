import { MOST_COUNTED } from "./bounds.ts";

/** Long enough to turn pages, short enough that a purge shows soon. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

/** Until when a list's total counts as over the bound, by counting store. */
const kept = new WeakMap<object, Map<string, number>>();

/**
 * Counts, unless a recent count exceeded the bound: turning the pages of a long list should not count ten thousand rows
 * for each page. Only for lists that rarely shrink. `by`: the counting store, which keeps its own results.
 */
export async function countUnlessReached(
  by: object,
  what: string,
  count: () => Promise<number>,
  now = performance.now(),
): Promise<number> {
  const reached = kept.get(by) ?? new Map<string, number>();
  kept.set(by, reached);
  if ((reached.get(what) ?? 0) > now) return MOST_COUNTED + 1;
  const counted = await count();
  if (counted <= MOST_COUNTED) {
    reached.delete(what);
    return counted;
  }
  if (reached.size >= MOST_KEPT) reached.clear();
  reached.set(what, now + KEPT_MS);
  return counted;
}
