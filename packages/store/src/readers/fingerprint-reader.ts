import type { Page } from "@andon/contract";
import type { FingerprintGroup, JobRow } from "@andon/engine";
import { readJobs } from "../steps/job-steps.ts";
import { type StepContext, shared } from "../steps/kit.ts";
import { lookedAtOf } from "./bounds.ts";
import { tallies } from "./count-reader.ts";
import { DEFAULT_TENANT } from "./search-sources.ts";

interface Failed {
  pos: number;
  fingerprint: string;
  at: number;
  tenant: string;
}

const failed = shared(
  "fingerprints-failed",
  () => `select pos, fingerprint, at, tenant from andon_aside
where queue = @queue and state = 'failed' order by at desc, pos desc limit @most`,
);
const failedOfTenant = shared(
  "fingerprints-failed-of-tenant",
  () => `select pos, fingerprint, at, tenant from andon_aside
where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
order by at desc, pos desc limit @most`,
);
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
  const statement = tenant === undefined || tenant === DEFAULT_TENANT ? failed : failedOfTenant;
  const most = lookedAtOf((await tallies(at, queue)).failed);
  const rows = await at.session.all<Failed>(statement(at.dialect), { ...values, most: most + 1 });
  const looked = rows.slice(0, most);
  const groups = grouped(looked.filter((row) => tenant === undefined || row.tenant === tenant));
  const shown = groups.slice((page - 1) * limit, page * limit);
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
  const more = rows.length > most ? { more: true } : {};
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
