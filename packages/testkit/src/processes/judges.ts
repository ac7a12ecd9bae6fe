import type { Entry } from "./ledger.ts";

/** Starts of each lane in order; a job that was started again keeps its first place. */
export function startsByLane(entries: readonly Entry[]): Map<string, number[]> {
  const lanes = new Map<string, number[]>();
  for (const { what, keys, n } of entries) {
    if (what !== "start") continue;
    for (const key of keys) {
      const lane = lanes.get(key) ?? [];
      if (!lane.includes(n)) lane.push(n);
      lanes.set(key, lane);
    }
  }
  return lanes;
}

/** Jobs that were started, each once, in the order of their first starts. */
export function firstStarts(entries: readonly Entry[]): number[] {
  return [...new Set(entries.filter((entry) => entry.what === "start").map((entry) => entry.n))];
}

/**
 * Starts of a job while another one of its lane was at work. Without lanes pass one name for all jobs. The runs of a
 * killed process ended with it.
 */
export function overlaps(entries: readonly Entry[], laneOf = (entry: Entry) => entry.keys): string[] {
  const atWork = new Map<string, Entry>();
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.what === "killed") {
      for (const [lane, { pid }] of atWork) if (pid === entry.pid) atWork.delete(lane);
      continue;
    }
    for (const lane of laneOf(entry)) {
      const other = atWork.get(lane);
      if (entry.what === "start") {
        if (other) found.push(`${lane}: ${entry.n} started while ${other.n} was at work`);
        atWork.set(lane, entry);
      } else if ((entry.what === "end" || entry.what === "threw") && other?.n === entry.n) {
        atWork.delete(lane);
      }
    }
  }
  return found;
}

/** Order violations: a job started after a later one of the same lane had started. */
export function inversions(entries: readonly Entry[]): string[] {
  const latest = new Map<string, number>();
  const found: string[] = [];
  for (const { what, keys, n } of entries) {
    if (what !== "start") continue;
    for (const key of keys) {
      const before = latest.get(key) ?? -1;
      if (n < before) found.push(`${key}: ${n} after ${before}`);
      latest.set(key, Math.max(before, n));
    }
  }
  return found;
}

/** Starts per job, for jobs that started more than once. */
export function startedAgain(entries: readonly Entry[]): Map<number, Entry[]> {
  const starts = new Map<number, Entry[]>();
  for (const entry of entries) {
    if (entry.what === "start") starts.set(entry.n, [...(starts.get(entry.n) ?? []), entry]);
  }
  return new Map([...starts].filter(([, times]) => times.length > 1));
}
