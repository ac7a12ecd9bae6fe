import type { LaneId } from "@andon/engine";
import { lanesIn } from "../statements/job-row.ts";
import { byCount, countOf } from "./by-count.ts";
import { lockLanes } from "./lane-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

/*
 * A lane is a row for every key that was ever used, and keys such as the id of a file are not used again. So a lane is
 * deleted with the last of its jobs, including ended ones: it counts the places that it gave away (next_seq) and those
 * whose jobs are gone. It must not be deleted earlier: the next job would take the first place again, and be listed
 * before older ones.
 *
 * Adding to a lane, or holding it, locks its row or creates it. Either the add comes first, and the delete, which
 * waited, finds a lane that is no longer empty; or the add waits for the delete, and creates the lane again.
 */

/** The lanes of a job that is deleted; `seq` is null if it never joined them. */
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

/** Locks the lanes of jobs that are about to be deleted: before the jobs, as in all statements. */
export async function lockLanesOf(
  at: StepContext,
  queue: string,
  positions: readonly number[],
): Promise<void> {
  const jobs = await at.session.all<Laned>(ofJobs(at.dialect), { positions: at.dialect.array(positions) });
  await lockLanes(at, queue, [...placesIn(jobs).keys()]);
}

/**
 * Deletes the lanes in which all places belong to deleted jobs, and counts these places in the others; all lanes are
 * locked.
 */
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
