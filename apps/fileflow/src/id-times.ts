import type { Conditions } from "@andon/app";

export interface TimeRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** How far the time in an id may be from the time in its row: ids of one process never go back, though its clock may. */
const SLACK_MS = 10 * 60_000;

/**
 * From `from` on and before `to`. Ids begin with the time at which they were drawn, in the transaction that sets the `column`: a range
 * of ids lets every index that ends with the id serve the times too.
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

/** Before every id that is drawn at this time or later. */
export function firstIdAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
