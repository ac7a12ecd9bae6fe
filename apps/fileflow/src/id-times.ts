import type { Conditions } from "@andon/app";

export interface TimeRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The largest difference between the time in an id and the time in its row: the ids of a process never go back, but its clock
 * may.
 */
const SLACK_MS = 10 * 60_000;

/**
 * Adds the condition that `column` is at or after `from` and before `to`. An id begins with the time at which it was created,
 * in the transaction that sets `column`. So a range of ids lets every index that ends with the id filter by time as well.
 */
export function addTimes(
  conditions: Conditions,
  column: "e.created_at" | "d.received_at",
  { from, to }: TimeRange,
): Conditions {
  const id = `${column[0]}.id`;
  if (from !== undefined) {
    const at = Date.parse(from);
    conditions.add(`${column} >= ?`, at).add(`${id} >= ?`, firstIdAt(at - SLACK_MS));
  }
  if (to !== undefined) {
    const at = Date.parse(to);
    conditions.add(`${column} < ?`, at).add(`${id} < ?`, firstIdAt(at + SLACK_MS));
  }
  return conditions;
}

/** Sorts before every id that is created at this time or later. */
export function firstIdAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
