import type { JobState } from "@andon/contract";
import type { Purged } from "@andon/engine";
import { FIRST_OF_CLAIM_LOG, LAST_OF_CLAIM_LOG } from "../statements/claim-log.ts";
import { dropBulk, dropWishes } from "./bulk-steps.ts";
import { dropLanesOf, type Laned, lockLanesOf } from "./emptied-lanes.ts";
import { dropStages } from "./stage-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

/**
 * Stamped by a clock that was ahead. Such an entry's time says nothing, and must not hide the entries after it until
 * that time comes.
 */
const IS_AHEAD = "at > @now";
const IS_OLD = `(at < @before or ${IS_AHEAD})`;
/**
 * Done jobs are found through the claim log: an index on their end would cost every completion. Ids follow time, so the
 * oldest entries show whether there are old ones, and young ones are not read, whatever their number. Entries ahead of
 * the clock are skipped, and count as old if an old entry follows them.
 */
const lastOldClaimLog = shared(
  "claim-log-last-old",
  () => `select max(id) as id from (
  select id, at from andon_claim_log where ${FIRST_OF_CLAIM_LOG.where} and not ${IS_AHEAD} order by ${FIRST_OF_CLAIM_LOG.order} limit @most
) oldest where at < @before`,
);
const oldClaimLog = shared(
  "claim-log-old",
  () => `select id, done, finished from (
  select id, at, done, finished from andon_claim_log where ${FIRST_OF_CLAIM_LOG.where} order by ${FIRST_OF_CLAIM_LOG.order} limit @most
) oldest where ${IS_OLD} and id <= @upTo order by id`,
);
const oldEnded = shared(
  "ended-old",
  () =>
    `select pos from andon_ended where queue = @queue and state = @state and at < @before order by at, pos limit @most`,
);
/** An entry may also have claimed: its completions are cleared, and the row is deleted with the old claims. */
const strikeDone = shared(
  "claim-log-strike-done",
  (d) =>
    `update andon_claim_log set done = 0, finished = null where queue = @queue and id ${d.among("ids", "bigint")}`,
);
const dropClaimLog = shared(
  "claim-log-drop",
  (d) =>
    `delete from andon_claim_log where queue = @queue and id ${d.among("ids", "bigint")} and claimed = 0`,
);
const dropOldClaims = shared(
  "claim-log-drop-claims",
  () => `delete from andon_claim_log where queue = @queue and id <= @upTo and claimed > 0 and done = 0 and ${IS_OLD}
and id < (select id from andon_claim_log where ${LAST_OF_CLAIM_LOG.where} and claimed > 0 order by ${LAST_OF_CLAIM_LOG.order} limit 1)`,
);
const dropJobs = shared(
  "jobs-drop",
  (d) => `delete from andon_jobs where pos ${d.among("positions", "bigint")} and state = @state
returning id, lane_keys, seq, stage`,
);
export const dropAttempts = shared(
  "attempts-drop",
  (d) => `delete from andon_attempts where pos ${d.among("positions", "bigint")}`,
);
export const dropEnded = shared(
  "ended-drop",
  (d) => `delete from andon_ended where pos ${d.among("positions", "bigint")}`,
);
export const dropIdempotency = shared(
  "idempotency-drop",
  (d) => `delete from andon_idempotency where job_id ${d.among("ids", "text")}`,
);
const dropWorker = shared("worker-drop", () => "delete from andon_workers where id = @id");

/** What is taken off a list of ended jobs: the jobs, and whether no old one is left. */
interface Taken {
  readonly positions: readonly number[];
  readonly isOver: boolean;
}

/** Deletes about `most` jobs of one state that ended before a time, and the lanes that had no others. */
export async function purge(
  at: StepContext,
  queue: string,
  state: JobState,
  before: number,
  most: number,
): Promise<Purged> {
  const { positions, isOver } =
    state === "done"
      ? await takeOldClaimLog(at, queue, before, most)
      : await takeOldEnded(at, queue, state, before, most);
  if (positions.length === 0) return { gone: 0, isOver };
  const list = { positions: at.dialect.array(positions) };
  await lockLanesOf(at, queue, positions);
  const gone = await at.session.all<Laned & { id: string; stage: string | null }>(dropJobs(at.dialect), {
    ...list,
    state,
  });
  for (const drop of [dropAttempts, dropBulk, dropWishes]) await at.session.run(drop(at.dialect), list);
  if (gone.some((row) => row.stage !== null)) await at.session.run(dropStages(at.dialect), list);
  await at.session.run(dropIdempotency(at.dialect), { ids: at.dialect.array(gone.map((row) => row.id)) });
  await dropLanesOf(at, queue, gone);
  return { gone: gone.length, isOver };
}

async function takeOldClaimLog(at: StepContext, queue: string, before: number, most: number): Promise<Taken> {
  const positions: number[] = [];
  const ids: number[] = [];
  const values = { queue, before, now: at.now, most };
  const [last] = await at.session.all<{ id: number | null }>(lastOldClaimLog(at.dialect), values);
  if (!last?.id) return { positions, isOver: true };
  const entries = await at.session.all<{ id: number; done: number; finished: string | null }>(
    oldClaimLog(at.dialect),
    { ...values, upTo: last.id },
  );
  let upTo = 0;
  for (const entry of entries) {
    if (positions.length >= most) break;
    upTo = entry.id;
    if (entry.done === 0 || entry.finished === null) continue;
    ids.push(entry.id);
    positions.push(...entry.finished.split(",").map(Number));
  }
  for (const statement of ids.length > 0 ? [dropClaimLog, strikeDone] : [])
    await at.session.run(statement(at.dialect), { queue, ids: at.dialect.array(ids) });
  const claims = await at.session.run(dropOldClaims(at.dialect), { ...values, upTo });
  return { positions, isOver: ids.length === 0 && claims === 0 };
}

async function takeOldEnded(
  at: StepContext,
  queue: string,
  state: JobState,
  before: number,
  most: number,
): Promise<Taken> {
  const rows = await at.session.all<{ pos: number }>(oldEnded(at.dialect), { queue, state, before, most });
  const positions = rows.map((row) => row.pos);
  if (positions.length > 0)
    await at.session.run(dropEnded(at.dialect), { positions: at.dialect.array(positions) });
  return { positions, isOver: positions.length === 0 };
}

const queuesOf = shared("worker-queues", () => "select queues from andon_workers where id = @id");
/** Whether other workers work the queue is not checked here: readers of this time check for workers themselves. */
const noteLeft = shared(
  "queues-note-left",
  (d) => `update andon_queues set unworked_at = @now where name ${d.among("queues", "text")}`,
);
/**
 * A worker that signed off ended its run itself. When a dead one stopped is unknown: its run ends with the last sample
 * before another process took over, or at its start.
 */
const endRun = shared(
  "history-run-lost",
  () => `update andon_history_runs set until_at = coalesce((
  select max(h.at) + 60000 from andon_history h where h.step = 'm' and h.at >= andon_history_runs.from_at - 60000
    and h.waiting is not null and h.at + 60000 <= coalesce((
      select min(r.from_at) from andon_history_runs r where r.from_at > andon_history_runs.from_at
    ), @now)
), from_at)
where worker = @id and until_at is null`,
);

export async function forgetWorker(at: StepContext, id: string): Promise<void> {
  const [gone] = await at.session.all<{ queues: string }>(queuesOf(at.dialect), { id });
  await at.session.run(dropWorker(at.dialect), { id });
  if (gone)
    await at.session.run(noteLeft(at.dialect), {
      queues: at.dialect.array(JSON.parse(gone.queues)),
      now: at.now,
    });
  await at.session.run(endRun(at.dialect), { id, now: Math.floor(at.now) });
}
