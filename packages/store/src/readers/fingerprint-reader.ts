import type { Page, Scope } from "@andon/contract";
import { DEFAULT_TENANT, type FingerprintGroup, type JobRow } from "@andon/engine";
import { inScope, scopeValues } from "../steps/in-scope.ts";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { lookedAtOf } from "./bounds.ts";
import { tallies } from "./count-reader.ts";

/** Failed jobs, newest first: of a queue, or of one tenant or organisation of it by their own index. */
const FAILED = {
  queue: `andon_ended where queue = @queue and state = 'failed' order by at desc, pos desc`,
  tenant: `andon_ended where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
  order by at desc, pos desc`,
  organization: `andon_ended where organization = @organization and tenant = @tenant and queue = @queue and state = 'failed'
  order by at desc, pos desc`,
};
const groupsOf = (source: keyof typeof FAILED) =>
  shared(
    `fingerprints-of-${source}`,
    () => `select fingerprint, count(*) as count, min(at) as "firstAt", max(at) as "lastAt", max(pos) as newest from (
  select pos, fingerprint, at, tenant, organization from ${FAILED[source]} limit @most
) f where ${inScope("f.")}
group by fingerprint`,
  );
const groups = {
  queue: groupsOf("queue"),
  tenant: groupsOf("tenant"),
  organization: groupsOf("organization"),
};
const beyondOf = (source: "tenant" | "organization") =>
  shared(`fingerprints-beyond-${source}`, () => `select pos from ${FAILED[source]} limit 1 offset @most`);
const beyond = { tenant: beyondOf("tenant"), organization: beyondOf("organization") };
/**
 * The last resolution for several groups at once, each found by its newest job. (A join with the resolved job would be
 * planned to read all jobs.)
 */
const settled = shared(
  "fingerprints-last-resolution",
  (d) => `select n.pos, (
  select s.pos from (
    select pos, at, tenant, organization from andon_ended
    where queue = @queue and fingerprint = n.fingerprint and state = 'resolved' order by at desc limit @most
  ) s where ${inScope("s.")} order by s.at desc limit 1
) as settled
from andon_jobs n where n.pos ${d.among("positions", "bigint")}`,
);

/** How many resolutions of a fingerprint are searched for one of the tenant's own. */
const MOST_RESOLUTIONS = 200;

type Group = Pick<FingerprintGroup, "fingerprint" | "count" | "firstAt" | "lastAt"> & { newest: number };

export async function fingerprints(
  at: StepContext,
  queue: string,
  scope: Scope,
  page: number,
  limit: number,
): Promise<Page<FingerprintGroup>> {
  const { tenant, organization } = scopeValues(scope);
  const values = { queue, tenant, organization };
  const source =
    tenant !== null && organization !== null
      ? "organization"
      : tenant === null || tenant === DEFAULT_TENANT
        ? "queue"
        : "tenant";
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
  const isMore = source === "queue" ? stored > look.most : await hasBeyond(at, source, found, look);
  return { total: found.length, page, limit, items, ...(isMore ? { more: true } : {}) };
}

const largestFirst = (a: Group, b: Group) => b.count - a.count || b.lastAt - a.lastAt;

/** Whether an owner has more failed jobs than were read. */
async function hasBeyond(
  at: StepContext,
  source: keyof typeof beyond,
  found: readonly Group[],
  look: { most: number; queue: string; tenant: string | null; organization: string | null },
): Promise<boolean> {
  if (found.reduce((sum, { count }) => sum + count, 0) < look.most) return false;
  const { organization, ...ofTenant } = look;
  const values = source === "tenant" ? ofTenant : look;
  return (await at.session.all(beyond[source](at.dialect), values)).length > 0;
}

/** The newest job may have been settled between the two reads; its group then has no job. */
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
    ...(error?.texts ? { texts: error.texts } : {}),
    newestJobId: id,
    lastResolution: settledLast?.resolution ?? null,
  };
}
