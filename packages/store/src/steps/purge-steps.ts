import type { JobState } from "@andon/contract";
import type { Purged } from "@andon/engine";
import { FIRST_TURNS, LAST_TURNS } from "../statements/turns.ts";
import { dropLanesOf, type Laned, lockLanesOf } from "./emptied-lanes.ts";
import { type StepContext, shared } from "./kit.ts";

/** Stamped by a clock that was ahead: its time tells nothing, and must not hide the turns behind it until it has come. */
const IS_AHEAD = "at > @now";
const IS_OLD = `(at < @before or ${IS_AHEAD})`;
/**
 * Done jobs are found through the ledger of turns: an index on their end would cost every completion. Ids follow time, so
 * that the oldest turns tell whether there are old ones at all: however many young ones there are, they are not looked at.
 * Those ahead of the clock are looked past, and are old where an old one lies behind them.
 */
const lastOldTurn = shared(
  "turns-last-old",
  () => `select max(id) as id from (
  select id, at from andon_turns where ${FIRST_TURNS.where} and not ${IS_AHEAD} order by ${FIRST_TURNS.order} limit @most
) oldest where at < @before`,
);
const oldTurns = shared(
  "turns-old",
  () => `select id, done, finished from (
  select id, at, done, finished from andon_turns where ${FIRST_TURNS.where} order by ${FIRST_TURNS.order} limit @most
) oldest where ${IS_OLD} and id <= @upTo order by id`,
);
const oldAside = shared(
  "aside-old",
  () =>
    `select pos from andon_aside where queue = @queue and state = @state and at < @before order by at, pos limit @most`,
);
/** A turn may have claimed too: what it finished is struck out, and the row goes with the old claims. */
const strikeDone = shared(
  "turns-strike-done",
  (d) =>
    `update andon_turns set done = 0, finished = null where queue = @queue and id ${d.among("ids", "bigint")}`,
);
const dropTurns = shared(
  "turns-drop",
  (d) => `delete from andon_turns where queue = @queue and id ${d.among("ids", "bigint")} and claimed = 0`,
);
const dropOldClaims = shared(
  "turns-drop-claims",
  () => `delete from andon_turns where queue = @queue and id <= @upTo and claimed > 0 and done = 0 and ${IS_OLD}
and id < (select id from andon_turns where ${LAST_TURNS.where} and claimed > 0 order by ${LAST_TURNS.order} limit 1)`,
);
const dropJobs = shared(
  "jobs-drop",
  (d) => `delete from andon_jobs where pos ${d.among("positions", "bigint")} and state = @state
returning id, lane_keys, seq`,
);
export const dropAttempts = shared(
  "attempts-drop",
  (d) => `delete from andon_attempts where pos ${d.among("positions", "bigint")}`,
);
export const dropAside = shared(
  "aside-drop",
  (d) => `delete from andon_aside where pos ${d.among("positions", "bigint")}`,
);
export const dropIdempotency = shared(
  "idempotency-drop",
  (d) => `delete from andon_idempotency where job_id ${d.among("ids", "text")}`,
);
const dropWorker = shared("worker-drop", () => "delete from andon_workers where id = @id");

/** What is taken off a list of ended jobs: the jobs, and whether nothing on it was old any more. */
interface Taken {
  readonly positions: readonly number[];
  readonly isOver: boolean;
}

/** Deletes up to about `most` jobs of one state that ended before a time, and the lanes that had no others. */
export async function purge(
  at: StepContext,
  queue: string,
  state: JobState,
  before: number,
  most: number,
): Promise<Purged> {
  const { positions, isOver } =
    state === "done"
      ? await takeOldTurns(at, queue, before, most)
      : await takeOldAside(at, queue, state, before, most);
  if (positions.length === 0) return { gone: 0, isOver };
  const list = { positions: at.dialect.array(positions) };
  await lockLanesOf(at, queue, positions);
  const gone = await at.session.all<Laned & { id: string }>(dropJobs(at.dialect), { ...list, state });
  await at.session.run(dropAttempts(at.dialect), list);
  await at.session.run(dropIdempotency(at.dialect), { ids: at.dialect.array(gone.map((row) => row.id)) });
  await dropLanesOf(at, queue, gone);
  return { gone: gone.length, isOver };
}

async function takeOldTurns(at: StepContext, queue: string, before: number, most: number): Promise<Taken> {
  const positions: number[] = [];
  const ids: number[] = [];
  const values = { queue, before, now: at.now, most };
  const [last] = await at.session.all<{ id: number | null }>(lastOldTurn(at.dialect), values);
  if (!last?.id) return { positions, isOver: true };
  const turns = await at.session.all<{ id: number; done: number; finished: string | null }>(
    oldTurns(at.dialect),
    { ...values, upTo: last.id },
  );
  let upTo = 0;
  for (const turn of turns) {
    if (positions.length >= most) break;
    upTo = turn.id;
    if (turn.done === 0 || turn.finished === null) continue;
    ids.push(turn.id);
    positions.push(...turn.finished.split(",").map(Number));
  }
  for (const statement of ids.length > 0 ? [dropTurns, strikeDone] : [])
    await at.session.run(statement(at.dialect), { queue, ids: at.dialect.array(ids) });
  const claims = await at.session.run(dropOldClaims(at.dialect), { ...values, upTo });
  return { positions, isOver: ids.length === 0 && claims === 0 };
}

async function takeOldAside(
  at: StepContext,
  queue: string,
  state: JobState,
  before: number,
  most: number,
): Promise<Taken> {
  const rows = await at.session.all<{ pos: number }>(oldAside(at.dialect), { queue, state, before, most });
  const positions = rows.map((row) => row.pos);
  if (positions.length > 0)
    await at.session.run(dropAside(at.dialect), { positions: at.dialect.array(positions) });
  return { positions, isOver: positions.length === 0 };
}

export async function forgetWorker(at: StepContext, id: string): Promise<void> {
  await at.session.run(dropWorker(at.dialect), { id });
}
