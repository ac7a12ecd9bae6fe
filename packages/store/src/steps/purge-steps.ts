import type { JobState } from "@andon/contract";
import { type StepContext, shared } from "./kit.ts";

/** Done jobs are found through the ledger of turns: an index on their end would cost every completion. */
const oldTurns = shared(
  "turns-old-done",
  () =>
    `select id, finished from andon_turns where queue = @queue and done > 0 and at < @before order by id limit @most`,
);
const oldAside = shared(
  "aside-old",
  () =>
    `select pos from andon_aside where queue = @queue and state = @state and at < @before order by at, pos limit @most`,
);
/** A turn may have claimed too: what it finished is struck out, and the row goes with the old claims. */
const strikeDone = shared(
  "turns-strike-done",
  (d) => `update andon_turns set done = 0, finished = null where id ${d.among("ids", "bigint")}`,
);
const dropTurns = shared(
  "turns-drop",
  (d) => `delete from andon_turns where id ${d.among("ids", "bigint")} and claimed = 0`,
);
const dropOldClaims = shared(
  "turns-drop-claims",
  () => `delete from andon_turns where queue = @queue and claimed > 0 and done = 0 and at < @before
and id < (select max(id) from andon_turns where queue = @queue and claimed > 0)`,
);
const dropJobs = shared(
  "jobs-drop",
  (d) => `delete from andon_jobs where pos ${d.among("positions", "bigint")} and state = @state returning id`,
);
const dropAttempts = shared(
  "attempts-drop",
  (d) => `delete from andon_attempts where pos ${d.among("positions", "bigint")}`,
);
const dropAside = shared(
  "aside-drop",
  (d) => `delete from andon_aside where pos ${d.among("positions", "bigint")}`,
);
const dropIdempotency = shared(
  "idempotency-drop",
  (d) => `delete from andon_idempotency where job_id ${d.among("ids", "text")}`,
);
const dropWorker = shared("worker-drop", () => "delete from andon_workers where id = @id");

/** Deletes up to about `most` jobs of one state that ended before a time; returns how many. */
export async function purge(
  at: StepContext,
  queue: string,
  state: JobState,
  before: number,
  most: number,
): Promise<number> {
  const positions =
    state === "done"
      ? await takeOldTurns(at, queue, before, most)
      : await takeOldAside(at, queue, state, before, most);
  if (positions.length === 0) return 0;
  const list = { positions: at.dialect.array(positions) };
  const gone = await at.session.all<{ id: string }>(dropJobs(at.dialect), { ...list, state });
  await at.session.run(dropAttempts(at.dialect), list);
  await at.session.run(dropIdempotency(at.dialect), { ids: at.dialect.array(gone.map((row) => row.id)) });
  return gone.length;
}

async function takeOldTurns(at: StepContext, queue: string, before: number, most: number): Promise<number[]> {
  const positions: number[] = [];
  const ids: number[] = [];
  const turns = await at.session.all<{ id: number; finished: string }>(oldTurns(at.dialect), {
    queue,
    before,
    most,
  });
  for (const turn of turns) {
    if (positions.length >= most) break;
    ids.push(turn.id);
    positions.push(...turn.finished.split(",").map(Number));
  }
  for (const statement of ids.length > 0 ? [dropTurns, strikeDone] : [])
    await at.session.run(statement(at.dialect), { ids: at.dialect.array(ids) });
  await at.session.run(dropOldClaims(at.dialect), { queue, before });
  return positions;
}

async function takeOldAside(at: StepContext, queue: string, state: JobState, before: number, most: number) {
  const rows = await at.session.all<{ pos: number }>(oldAside(at.dialect), { queue, state, before, most });
  const positions = rows.map((row) => row.pos);
  if (positions.length > 0)
    await at.session.run(dropAside(at.dialect), { positions: at.dialect.array(positions) });
  return positions;
}

export async function forgetWorker(at: StepContext, id: string): Promise<void> {
  await at.session.run(dropWorker(at.dialect), { id });
}
