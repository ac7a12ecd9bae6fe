import type { Page } from "@andon/contract";
import type { FingerprintGroup, JobRow } from "@andon/engine";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/kit.ts";

const MOST_LOOKED_AT = 10_000;

interface Failed {
  pos: number;
  fingerprint: string;
  at: number;
  is_own: number;
}

const failed = shared(
  "fingerprints-failed",
  () => `select pos, fingerprint, at, 1 as is_own from andon_aside
where queue = @queue and state = 'failed' order by at desc, pos desc limit @most`,
);
const failedOfTenant = shared(
  "fingerprints-failed-of-tenant",
  () => `select a.pos, a.fingerprint, a.at, case when j.tenant = @tenant then 1 else 0 end as is_own from (
  select pos, fingerprint, at from andon_aside
  where queue = @queue and state = 'failed' order by at desc, pos desc limit @most
) a join andon_jobs j on j.pos = a.pos order by a.at desc, a.pos desc`,
);
const settled = shared(
  "fingerprint-last-resolution",
  () => `select j.resolved_by as actor, j.resolution_note as reason, j.resolved_at as at from (
  select pos, at from andon_aside
  where queue = @queue and fingerprint = @fingerprint and state = 'resolved' order by at desc limit @most
) a join andon_jobs j on j.pos = a.pos
where cast(@tenant as text) is null or j.tenant = @tenant order by a.at desc limit 1`,
);

/** How many resolutions of one fingerprint are looked through for one of the tenant's own. */
const MOST_RESOLUTIONS = 1_000;

type Group = Pick<FingerprintGroup, "fingerprint" | "count" | "firstAt" | "lastAt"> & { newest: number };

export async function fingerprints(
  at: StepContext,
  queue: string,
  { tenant }: { tenant?: string | undefined },
  page: number,
  limit: number,
): Promise<Page<FingerprintGroup>> {
  const values = { queue, tenant: tenant ?? null };
  const statement = (tenant === undefined ? failed : failedOfTenant)(at.dialect);
  const rows = await at.session.all<Failed>(statement, { ...values, most: MOST_LOOKED_AT });
  const groups = grouped(rows.filter((row) => row.is_own === 1));
  const shown = groups.slice((page - 1) * limit, page * limit);
  const positions = shown.map((group) => group.newest);
  const newest = new Map((await readJobs(at, positions)).map((job) => [job.pos, job]));
  const items = await Promise.all(
    shown.map(async (group) => {
      const facts = { ...values, fingerprint: group.fingerprint, most: MOST_RESOLUTIONS };
      type Resolution = NonNullable<FingerprintGroup["lastResolution"]>;
      const [last] = await at.session.all<Resolution>(settled(at.dialect), facts);
      return groupOf(group, newest.get(group.newest), last ?? null);
    }),
  );
  const more = rows.length === MOST_LOOKED_AT ? { more: true } : {};
  return { total: groups.length, page, limit, items, ...more };
}

/** The largest first; rows come newest first. */
function grouped(rows: readonly Failed[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { pos, fingerprint, at } of rows) {
    const group = groups.get(fingerprint);
    if (group) {
      group.count++;
      group.firstAt = at;
    } else groups.set(fingerprint, { fingerprint, count: 1, firstAt: at, lastAt: at, newest: pos });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt);
}

/** The newest job may have been settled between the two looks; its group is then shown without it. */
function groupOf(
  { newest: _newest, ...group }: Group,
  job: JobRow | undefined,
  lastResolution: FingerprintGroup["lastResolution"],
): FingerprintGroup {
  const { error, id } = job ?? { error: null, id: "" };
  return {
    ...group,
    code: error?.code ?? "",
    message: error?.message ?? "",
    newestJobId: id,
    lastResolution,
  };
}
