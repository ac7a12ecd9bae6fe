import type { LaneId } from "@andon/engine";
import { byCount, countOf } from "./by-count.ts";
import { clearHeads, lockLanes, type RawLane } from "./lane-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

/*
 * Every statement here is for all lanes at once: a decision over many jobs frees a thousand lanes in one step, and lane
 * by lane that would be three thousand round trips under the queue's lock.
 */

/**
 * Subqueries, because a join might be planned, while the lanes are empty, to read all their jobs. And plain equality,
 * because SQLite reads a range over rows of columns, as `alongIndex` makes it, from the first lane of the queue on.
 */
const firstIn = (lanes: string, column: string) =>
  `(select m.${column} from andon_lane_jobs m where m.queue = ${lanes}.queue and m.lane_key = ${lanes}.lane_key order by m.seq limit 1)`;
const firsts = shared(
  "lanes-first",
  (
    d,
  ) => `select l.lane_key, ${firstIn("l", "seq")} as seq, ${firstIn("l", "pos")} as pos, ${firstIn("l", "lanes")} as lanes
from andon_lanes l where l.queue = @queue and l.lane_key ${d.among("keys", "text")}`,
);
const advance = shared(
  "lanes-advance",
  (d) => `update andon_lanes set head_seq = ${firstIn("andon_lanes", "seq")}
where queue = @queue and lane_key ${d.among("keys", "text")}`,
);
/** In the order in which all transactions lock jobs. */
const lockJobs = shared(
  "lanes-lock-heads",
  (d) =>
    `select pos from andon_jobs where pos ${d.among("positions", "bigint")} order by pos + 0${d.forUpdate}`,
);
const admit = shared(
  "lanes-admit",
  (d) =>
    `update andon_jobs set waits = waits - @lanes where pos ${d.among("positions", "bigint")} returning pos, waits`,
);
const ready = shared(
  "ready-insert",
  (d) => `insert into andon_ready (queue, rank, pos, share, stage)
select queue, rank, pos, share, stage from andon_jobs where pos ${d.among("positions", "bigint")}`,
);

interface Head {
  lane_key: LaneId;
  /** Null if the lane is empty. */
  seq: number | null;
  pos: number;
  lanes: number;
}

/** Lets the first job of each lane through if another job was first before, and returns how many jobs became ready. */
export async function admitHeads(at: StepContext, queue: string, ids: readonly LaneId[]): Promise<number> {
  const lanes = await lockLanes(at, queue, ids);
  if (lanes.length === 0) return 0;
  const among = (some: readonly LaneId[]) => ({ queue, keys: at.dialect.array(some) });
  const heads = new Map<LaneId, Head>();
  for (const head of await at.session.all<Head>(firsts(at.dialect), among(ids)))
    if (head.seq !== null) heads.set(head.lane_key, head);
  const advanced: Head[] = [];
  const cleared: LaneId[] = [];
  for (const lane of lanes) {
    const head = heads.get(lane.lane_key);
    const seq = headOf(lane, head);
    if (seq === lane.head_seq) continue;
    if (head && seq > 0) advanced.push(head);
    else cleared.push(lane.lane_key);
  }
  await clearHeads(at, queue, cleared);
  if (advanced.length === 0) return 0;
  await at.session.run(advance(at.dialect), among(advanced.map((head) => head.lane_key)));
  const admitted = await letThrough(at, advanced);
  if (admitted.length > 0) await at.session.run(ready(at.dialect), { positions: at.dialect.array(admitted) });
  return admitted.length;
}

/**
 * A lane held by hand lets no further job through; a job that was let through before (it runs) stays so until it
 * leaves.
 */
function headOf(lane: RawLane, head: Head | undefined): number {
  const seq = head?.seq ?? 0;
  return lane.held_kind === "hand" && seq !== lane.head_seq ? 0 : seq;
}

/** The jobs that all their lanes have let through; a job with a single lane needs no counter. */
async function letThrough(at: StepContext, heads: readonly Head[]): Promise<number[]> {
  const through = heads.filter(({ lanes }) => lanes === 1).map(({ pos }) => pos);
  const times = countOf(heads.filter(({ lanes }) => lanes > 1).map(({ pos }) => pos));
  if (times.size === 0) return through;
  await at.session.run(lockJobs(at.dialect), { positions: at.dialect.array([...times.keys()]) });
  for (const [lanes, positions] of byCount(times)) {
    const jobs = await at.session.all<{ pos: number; waits: number }>(admit(at.dialect), {
      lanes,
      positions: at.dialect.array(positions),
    });
    for (const { pos, waits } of jobs) if (waits === 0) through.push(pos);
  }
  return through;
}
