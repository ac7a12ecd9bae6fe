import type { Lane, Page } from "@andon/contract";
import { DEFAULT_TENANT, type HeldLaneFilter, type JobRow, laneId } from "@andon/engine";
import { inScope, scopeValues } from "../steps/in-scope.ts";
import { LANE_COLUMNS, type RawLane } from "../steps/lane-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { MOST_COUNTED, totalOf } from "./bounds.ts";
import { jobsById } from "./job-reader.ts";
import { shownLane } from "./lane-reader.ts";

/** Offset of the key in the id of a lane whose tenant is not the default one, without the length of the tenant. */
const BEFORE_KEY = laneId("t", "").length - "t".length + 1;
const KEY = `substr(l.lane_key, length(j.tenant) + ${BEFORE_KEY})`;

/**
 * Lanes that a failed job holds, along the index of held lanes; the job is looked up for each of them (`exists` could
 * become a join). The lane belongs to the job's tenant.
 */
const HELD = `from andon_lanes l where l.queue = @queue and l.held_at is not null
and (
  select 1 from andon_jobs j where j.id = l.held_job_id and j.state = 'failed'
  and ${inScope("j.")}
  and (cast(@from as text) is null or case when j.tenant = '${DEFAULT_TENANT}'
    then l.lane_key >= @from and l.lane_key < @to else ${KEY} >= @fromKey and ${KEY} < @toKey end)
) = 1`;
const page = shared(
  "lanes-held-by-job",
  () => `select ${LANE_COLUMNS} ${HELD} order by l.queue, l.held_at, l.lane_key limit @limit offset @offset`,
);
const count = shared(
  "lanes-held-by-job-count",
  () => `select count(*) as lanes from (select 1 ${HELD} limit @most) held`,
);

export async function heldLanes(
  at: StepContext,
  { queue, keys, ...scope }: HeldLaneFilter,
  number: number,
  limit: number,
): Promise<Page<{ lane: Lane; job: JobRow }>> {
  const range = {
    from: keys ? laneId(DEFAULT_TENANT, keys.from) : null,
    to: keys ? laneId(DEFAULT_TENANT, keys.to) : null,
    fromKey: keys?.from ?? null,
    toKey: keys?.to ?? null,
  };
  const filter = { queue, ...range, ...scopeValues(scope) };
  const [counted] = await at.session.all<{ lanes: number }>(count(at.dialect), {
    ...filter,
    most: MOST_COUNTED + 1,
  });
  const offset = (number - 1) * limit;
  const rows =
    offset < MOST_COUNTED
      ? await at.session.all<RawLane>(page(at.dialect), { ...filter, limit, offset })
      : [];
  const ids = [...new Set(rows.flatMap((row) => row.held_job_id ?? []))];
  const jobById = new Map((await jobsById(at, ids, {})).map((job) => [job.id, job]));
  // A job that was deleted between the two statements no longer holds its lane.
  const items = rows.map(shownLane).flatMap((held) => {
    const job = jobById.get(held.held?.jobId ?? "");
    return job ? [{ lane: held, job }] : [];
  });
  return { ...totalOf(counted?.lanes ?? 0), page: number, limit, items };
}
