import type { LaneId } from "@andon/engine";
import { lanesIn } from "../statements/job-row.ts";
import { byCount, countOf } from "./by-count.ts";
import { lockLanes } from "./lane-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

/*
 * A lane is a row for every key that was ever used, and keys such as the id of a file never come again. So it goes with
 * the last of its jobs, ended ones too: it knows how many places it gave away (next_seq) and how many of them are of jobs
 * that are gone. Sooner it must not: the next job would take the first place anew, and be shown before older ones.
 *
 * Who adds to a lane, or holds it, locks its row or makes it. Either that comes first, and the delete, which has waited,
 * sees a lane that is no longer empty; or it waits for the delete, and makes the lane anew.
 */

/** What a job that goes had of lanes; `seq` is null where it never joined them. */
export interface Laned {
  readonly lane_keys: string | null;
  readonly seq: number | null;
}

const ofJobs = shared(
  "jobs-lanes",
  (d) => `select lane_keys, seq from andon_jobs where pos ${d.among("positions", "bigint")}`,
);
const countGone = shared(
  "lanes-count-gone",
  (d) =>
    `update andon_lanes set gone = gone + @places where queue = @queue and lane_key ${d.among("keys", "text")}`,
);
const dropEmptied = shared(
  "lanes-drop-emptied",
  (d) => `delete from andon_lanes where queue = @queue and lane_key ${d.among("keys", "text")}
and depth = 0 and held_at is null and gone + @places = next_seq returning lane_key`,
);

/** Locks the lanes of jobs that are about to go: before the jobs, as everywhere. */
export async function lockLanesOf(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<void> {
  const jobs = await at.session.all<Laned>(ofJobs(at.dialect), { positions: at.dialect.array(positions) });
  await lockLanes(at, queue, [...placesIn(jobs).keys()]);
}

/** Deletes the lanes that have no places but those of jobs that are gone, and counts these in the others; all are locked. */
export async function dropLanesOf(at: StepContext, queue: string, gone: readonly Laned[]): Promise<void> {
  for (const [places, keys] of byCount(placesIn(gone))) {
    const values = { queue, places, keys: at.dialect.array(keys) };
    const dropped = await at.session.all<{ lane_key: LaneId }>(dropEmptied(at.dialect), values);
    if (dropped.length === keys.length) continue;
    const emptied = new Set(dropped.map((lane) => lane.lane_key));
    const others = keys.filter((key) => !emptied.has(key));
    await at.session.run(countGone(at.dialect), { ...values, keys: at.dialect.array(others) });
  }
}

function placesIn(jobs: readonly Laned[]): ReadonlyMap<LaneId, number> {
  return countOf(
    jobs.flatMap(({ lane_keys, seq }) => (lane_keys === null || seq === null ? [] : lanesIn(lane_keys))),
  );
}
