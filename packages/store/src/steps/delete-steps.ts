import type { Dialect } from "../dialect.ts";
import { alongIndex } from "../statements/along-index.ts";
import { FIRST_OF_CLAIM_LOG } from "../statements/claim-log.ts";
import { dropBulk, dropWishes } from "./bulk-steps.ts";
import { dropLanesOf, type Laned, lockLanesOf } from "./emptied-lanes.ts";
import { dropAttempts, dropEnded, dropIdempotency } from "./purge-steps.ts";
import { dropStages } from "./stage-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

const dropJobs = shared(
  "jobs-delete",
  (d) => `delete from andon_jobs where pos ${d.among("positions", "bigint")} returning id, lane_keys, seq`,
);
const BY_POSITION = ["andon_running", "andon_ready", "andon_timers", "andon_lane_jobs"] as const;
/** All tables in which a job of a queue can be, each by the index that starts with the queue. */
const placesOf = ["andon_ready", "andon_timers", "andon_ended", "andon_lane_jobs"].map((table) =>
  shared(
    `queue-jobs-${table.slice("andon_".length)}`,
    () => `select pos from ${table} where queue = @queue limit @most`,
  ),
);
const entriesOf = shared(
  "queue-claims-first",
  () =>
    `select id, finished from andon_claim_log where ${FIRST_OF_CLAIM_LOG.where} order by ${FIRST_OF_CLAIM_LOG.order} limit @most`,
);
const dropClaimLog = shared(
  "queue-claims-delete",
  (d) => `delete from andon_claim_log where queue = @queue and id ${d.among("ids", "bigint")}`,
);
/** The newest row stays, without its data: SQLite would assign its number again. */
const NEWEST = "(select max(id) from andon_events)";
const dropEvents = shared(
  "job-events-delete",
  (d) => `delete from andon_events where job_id ${d.among("ids", "text")} and id < ${NEWEST}`,
);
const emptyEvent = shared(
  "job-events-empty",
  (d) => `update andon_events set data = '{}' where job_id ${d.among("ids", "text")}`,
);
const firstEvents = alongIndex({ queue: "@queue" }, ["id"]);
type Text = (dialect: Dialect) => string;
const LEFT: readonly (readonly [name: string, text: Text])[] = [
  [
    "events",
    (d) =>
      `delete from andon_events where queue = @queue and id ${d.amongRows(
        `select id from andon_events where ${firstEvents.where} and id < ${NEWEST} order by ${firstEvents.order} limit @most`,
      )}`,
  ],
  ["operation-lists", () => listsOf("andon_operations")],
  ["plan-lists", () => listsOf("andon_plans")],
  [
    "operations",
    () =>
      // The row of the deletion itself stays, so that it can be followed to its end.
      `delete from andon_operations where id in (
  select id from andon_operations where queue = @queue and action <> 'delete-queue' limit @most)`,
  ],
  ["bulk-rates", () => "delete from andon_bulk_rates where queue = @queue"],
  [
    "lanes",
    () => `delete from andon_lanes where queue = @queue and lane_key in (
  select lane_key from andon_lanes where queue = @queue limit @most)`,
  ],
  [
    "stops",
    () =>
      "delete from andon_stops where queue = @queue and id in (select id from andon_stops where queue = @queue limit @most)",
  ],
  [
    "plans",
    () => "delete from andon_plans where id in (select id from andon_plans where queue = @queue limit @most)",
  ],
  [
    "schedules",
    () =>
      "delete from andon_schedules where id in (select id from andon_schedules where queue = @queue limit @most)",
  ],
  [
    "decisions",
    () =>
      "delete from andon_decisions where id in (select id from andon_decisions where queue = @queue limit @most)",
  ],
  [
    "history",
    () => `delete from andon_history where queue = @queue and (step, at) in (
  select step, at from andon_history where queue = @queue limit @most)`,
  ],
  [
    "tallies",
    () =>
      "delete from andon_tallies where id in (select id from andon_tallies where queue = @queue limit @most)",
  ],
];
const leftovers = LEFT.map(([name, text]) => shared(`queue-${name}-delete`, text));
/** The frozen lists of the rows that are deleted next. */
function listsOf(table: string): string {
  return `delete from andon_operation_steps where list in (select id from ${table} where queue = @queue limit @most)`;
}
const dropQueue = shared("queue-delete", () => "delete from andon_queues where name = @queue");

/**
 * Deletes jobs in any state, with everything that belongs to them. Their lanes are locked first, as in all statements.
 */
export async function deleteJobs(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<void> {
  if (positions.length === 0) return;
  const list = { positions: at.dialect.array(positions) };
  await lockLanesOf(at, queue, positions);
  for (const drop of byPosition) await at.session.run(drop(at.dialect), { ...list, queue });
  for (const drop of [dropEnded, dropAttempts, dropBulk, dropWishes, dropStages])
    await at.session.run(drop(at.dialect), list);
  const gone = await at.session.all<Laned & { id: string }>(dropJobs(at.dialect), list);
  const ids = { ids: at.dialect.array(gone.map((row) => row.id)) };
  await at.session.run(dropIdempotency(at.dialect), ids);
  await at.session.run(dropEvents(at.dialect), ids);
  await at.session.run(emptyEvent(at.dialect), ids);
  await dropLanesOf(at, queue, gone);
}
const byPosition = BY_POSITION.map((table) =>
  shared(
    `${table.slice("andon_".length).replace("_", "-")}-delete`,
    (d) => `delete from ${table} where queue = @queue and pos ${d.among("positions", "bigint")}`,
  ),
);

/**
 * About `most` jobs of a queue, in no order; none if the last one is gone. Entries of the claim log are deleted with
 * their done jobs.
 */
export async function takeJobsOf(at: StepContext, queue: string, most: number): Promise<number[]> {
  for (const places of placesOf) {
    const rows = await at.session.all<{ pos: number }>(places(at.dialect), { queue, most });
    if (rows.length > 0) return [...new Set(rows.map(({ pos }) => pos))];
  }
  for (;;) {
    const entries = await at.session.all<{ id: number; finished: string | null }>(entriesOf(at.dialect), {
      queue,
      most,
    });
    if (entries.length === 0) return [];
    const ids: number[] = [];
    const positions: number[] = [];
    for (const { id, finished } of entries) {
      if (positions.length >= most) break;
      ids.push(id);
      if (finished) positions.push(...finished.split(",").map(Number));
    }
    await at.session.run(dropClaimLog(at.dialect), { queue, ids: at.dialect.array(ids) });
    if (positions.length > 0) return positions;
  }
}

/** Deletes what a queue without jobs leaves: history, lanes, schedules, counts. Returns the number of rows deleted. */
export async function deleteLeftovers(at: StepContext, queue: string, most: number): Promise<number> {
  let gone = 0;
  for (const drop of leftovers) gone += await at.session.run(drop(at.dialect), { queue, most });
  return gone;
}

export async function deleteQueueRow(at: StepContext, queue: string): Promise<void> {
  await at.session.run(dropQueue(at.dialect), { queue });
}
