import { MOST_COUNTED } from "./bounds.ts";

/** Long enough to turn pages, short enough that a purge shows soon. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

/** Until when a total is taken for one that is over the bound, by what was counted. */
const kept = new WeakMap<object, Map<string, number>>();

/**
 * Counts, unless it found more than is counted just before: whoever turns the pages of a long list need not have ten
 * thousand rows counted for each. Only for what hardly ever gets fewer. `by`: who counts; each remembers for itself.
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
