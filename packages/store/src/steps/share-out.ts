import { lockQueue } from "./queue-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

/*
 * Sets the tenant's share on the waiting and running jobs of a queue that were added before it was shared fairly. It
 * walks the tables that contain a job until it ends: no index leads to a queue's jobs, so reading them would include
 * all done ones.
 *
 * A row of the line is never updated, since a claim may be about to take it: a claim that waits for the lock of such a
 * row continues with a version that its snapshot does not have. It is deleted and inserted again under the queue's
 * exclusive lock, some rows at a time. Jobs added meanwhile without a share are claimed when they reach the front.
 */

const MOST_AT_ONCE = 500;
const LOWEST_RANK = -2_147_483_648;

const inLine = shared(
  "share-out-line",
  () => `select rank, pos, share from andon_ready
where (queue, rank, pos) > (@queue, @first, @second) and queue <= @queue order by queue, rank, pos limit @most`,
);
const takeOut = shared(
  "share-out-take",
  (d) => `delete from andon_ready
where queue = @queue and rank ${d.among("ranks", "bigint")} and pos ${d.among("positions", "bigint")}`,
);
const putBack = shared(
  "share-out-put",
  (d) => `insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, tenant, stage from andon_jobs where pos ${d.among("positions", "bigint")}`,
);
const running = shared(
  "share-out-running",
  () => `update andon_running set share = (select j.tenant from andon_jobs j where j.pos = andon_running.pos)
where queue = @queue and share is null
returning pos`,
);
const jobs = shared(
  "share-out-jobs",
  (d) => `update andon_jobs set share = tenant
where pos ${d.among("positions", "bigint")} and queue = @queue and share is null and state = 'open'`,
);
const timed = shared(
  "share-out-timed",
  () => `select pos, due_at from andon_timers
where (queue, due_at, pos) > (@queue, @first, @second) and queue <= @queue order by queue, due_at, pos limit @most`,
);
const inLanes = shared(
  "share-out-laned",
  () => `select pos, lane_key, seq from andon_lane_jobs
where (queue, lane_key, seq) > (@queue, @first, @second) and queue <= @queue order by queue, lane_key, seq limit @most`,
);

/** The last row of a step, by the two columns of the index that follow the queue's name. */
export interface Place {
  readonly first: number | string;
  readonly second: number;
}

/** A table that is walked in steps, each in its own transaction. */
interface Walk {
  readonly from: Place;
  step(at: StepContext, queue: string, after: Place): Promise<Place | undefined>;
}

/** In this order: a job that moves on meanwhile is found by a later walk. */
export const SHARE_OUT: readonly Walk[] = [
  { from: { first: LOWEST_RANK, second: 0 }, step: shareLine },
  { from: { first: 0, second: 0 }, step: shareRunning },
  walkOver<{ pos: number; due_at: number }>(timed, -1, (row) => ({ first: row.due_at, second: row.pos })),
  walkOver<{ pos: number; lane_key: string; seq: number }>(inLanes, "", (row) => ({
    first: row.lane_key,
    second: row.seq,
  })),
];

async function shareLine(at: StepContext, queue: string, after: Place): Promise<Place | undefined> {
  await lockQueue(at, queue, "exclusive");
  const rows = await at.session.all<{ rank: number; pos: number; share: string | null }>(inLine(at.dialect), {
    queue,
    ...after,
    most: MOST_AT_ONCE,
  });
  const without = rows.filter((row) => row.share === null);
  if (without.length > 0) {
    const positions = at.dialect.array(without.map((row) => row.pos));
    const ranks = at.dialect.array([...new Set(without.map((row) => row.rank))]);
    await at.session.run(takeOut(at.dialect), { queue, ranks, positions });
    await at.session.run(putBack(at.dialect), { positions });
    await at.session.run(jobs(at.dialect), { queue, positions });
  }
  const last = rows.length === MOST_AT_ONCE ? rows.at(-1) : undefined;
  return last && { first: last.rank, second: last.pos };
}

async function shareRunning(at: StepContext, queue: string): Promise<Place | undefined> {
  await shareJobs(at, queue, await at.session.all<{ pos: number }>(running(at.dialect), { queue }));
  return undefined;
}

function walkOver<Row extends { pos: number }>(
  list: ReturnType<typeof shared>,
  first: number | string,
  placeOf: (row: Row) => Place,
): Walk {
  return {
    from: { first, second: 0 },
    async step(at, queue, after) {
      const rows = await at.session.all<Row>(list(at.dialect), { queue, ...after, most: MOST_AT_ONCE });
      await shareJobs(at, queue, rows);
      const last = rows.length === MOST_AT_ONCE ? rows.at(-1) : undefined;
      return last && placeOf(last);
    },
  };
}

async function shareJobs(at: StepContext, queue: string, rows: readonly { pos: number }[]): Promise<void> {
  if (rows.length === 0) return;
  const positions = at.dialect.array(rows.map((row) => row.pos));
  await at.session.run(jobs(at.dialect), { queue, positions });
}
