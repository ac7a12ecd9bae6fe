import type { Page } from "@andon/contract";
import type { FingerprintGroup, JobRow } from "@andon/engine";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/kit.ts";
import { lookedAtOf } from "./bounds.ts";
import { tallies } from "./count-reader.ts";
import { DEFAULT_TENANT } from "./search-sources.ts";

/** Failed jobs, newest first: of a queue, or of one tenant of it where an index has those. */
const FAILED = {
  queue: `andon_aside where queue = @queue and state = 'failed' order by at desc, pos desc`,
  tenant: `andon_aside where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
  order by at desc, pos desc`,
};
const groupsOf = (source: keyof typeof FAILED) =>
  shared(
    `fingerprints-of-${source}`,
    () => `select fingerprint, count(*) as count, min(at) as "firstAt", max(at) as "lastAt", max(pos) as newest from (
  select pos, fingerprint, at, tenant from ${FAILED[source]} limit @most
) f where cast(@tenant as text) is null or f.tenant = @tenant
group by fingerprint`,
  );
const groups = { queue: groupsOf("queue"), tenant: groupsOf("tenant") };
const beyond = shared("fingerprints-beyond", () => `select pos from ${FAILED.tenant} limit 1 offset @most`);
/** Of several groups at once, each by the newest of its jobs. (A join with the resolved job would be made by reading all jobs.) */
const settled = shared(
  "fingerprints-last-resolution",
  (d) => `select n.pos, (
  select s.pos from (
    select pos, at, tenant from andon_aside
    where queue = @queue and fingerprint = n.fingerprint and state = 'resolved' order by at desc limit @most
  ) s where cast(@tenant as text) is null or s.tenant = @tenant order by s.at desc limit 1
) as settled
from andon_jobs n where n.pos ${d.among("positions", "bigint")}`,
);

/** How many resolutions of one fingerprint are looked through for one of the tenant's own. */
const MOST_RESOLUTIONS = 200;

type Group = Pick<FingerprintGroup, "fingerprint" | "count" | "firstAt" | "lastAt"> & { newest: number };

export async function fingerprints(
  at: StepContext,
  queue: string,
  { tenant }: { tenant?: string | undefined },
  page: number,
  limit: number,
): Promise<Page<FingerprintGroup>> {
  const values = { queue, tenant: tenant ?? null };
  const source = tenant === undefined || tenant === DEFAULT_TENANT ? "queue" : "tenant";
  const stored = (await tallies(at, queue)).failed;
  const look = { ...values, most: lookedAtOf(stored) };
  const found = (await at.session.all<Group>(groups[source](at.dialect), look)).sort(largestFirst);
  const shown = found.slice((page - 1) * limit, page * limit);
  const positions = shown.map((group) => group.newest);
  const pairs = await at.session.all<{ pos: number; settled: number | null }>(settled(at.dialect), {
    ...values,
    positions: at.dialect.array(positions),
    most: MOST_RESOLUTIONS,
  });
  const settledLast = new Map(pairs.map(({ pos, settled }) => [pos, settled]));
  const wanted = [...positions, ...settledLast.values()].filter((pos) => pos !== null);
  const jobs = new Map((await readJobs(at, wanted)).map((job) => [job.pos, job]));
  const items = shown.map((group) => {
    const last = settledLast.get(group.newest) ?? null;
    return groupOf(group, jobs.get(group.newest), last === null ? undefined : jobs.get(last));
  });
  const isMore = source === "queue" ? stored > look.most : await hasBeyond(at, found, look);
  return { total: found.length, page, limit, items, ...(isMore ? { more: true } : {}) };
}

const largestFirst = (a: Group, b: Group) => b.count - a.count || b.lastAt - a.lastAt;

/** Whether a tenant has more failed jobs than were looked at. */
async function hasBeyond(
  at: StepContext,
  found: readonly Group[],
  look: { most: number; queue: string; tenant: string | null },
): Promise<boolean> {
  if (found.reduce((sum, { count }) => sum + count, 0) < look.most) return false;
  return (await at.session.all(beyond(at.dialect), look)).length > 0;
}

/** The newest job may have been settled between the two looks; its group is then shown without it. */
function groupOf(
  { newest: _newest, ...group }: Group,
  job: JobRow | undefined,
  settledLast: JobRow | undefined,
): FingerprintGroup {
  const { error, id } = job ?? { error: null, id: "" };
  return {
    ...group,
    code: error?.code ?? "",
    message: error?.message ?? "",
    newestJobId: id,
    lastResolution: settledLast?.resolution ?? null,
  };
}
