import type { Page, Scope } from "@andon/contract";
import type { JobRow } from "@andon/engine";
import { inScope, scopeValues } from "../steps/in-scope.ts";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

/** At most as many jobs run as the fleet has places, so they are sorted without an index. */
const running = shared(
  "running-longest",
  () => `select r.pos, count(*) over () as total from andon_running r
where (cast(@queue as text) is null or r.queue = @queue) and (cast(@tenant as text) is null and cast(@organization as text) is null or (
  select 1 from andon_jobs j where j.pos = r.pos and ${inScope("j.")}
) is not null)
order by r.started_at, r.pos limit @limit offset @offset`,
);

export async function longestRunning(
  at: StepContext,
  filter: Scope & { queue?: string | undefined },
  page: number,
  limit: number,
): Promise<Page<JobRow>> {
  const values = { queue: filter.queue ?? null, ...scopeValues(filter), limit, offset: (page - 1) * limit };
  const rows = await at.session.all<{ pos: number; total: number }>(running(at.dialect), values);
  const places = new Map(rows.map(({ pos }, place) => [Number(pos), place]));
  const placeOf = ({ pos }: JobRow) => places.get(pos) ?? 0;
  const jobs = await readJobs(at, [...places.keys()]);
  // A job that ended between the two reads no longer runs.
  const items = jobs.filter(({ state }) => state === "running").sort((a, b) => placeOf(a) - placeOf(b));
  return { total: Number(rows[0]?.total ?? 0), page, limit, items };
}
