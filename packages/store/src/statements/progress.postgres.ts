import type { ProgressRow } from "@andon/engine";
import type { Session } from "../dialect.ts";
import { postgresDialect } from "../postgres/dialect.ts";
import { compile } from "../statement.ts";

/*
 * The progress of many jobs in one statement: with some thousand jobs, a statement per job took longer than the half
 * second between two saves. A claim that is being ended is skipped, since its end writes the last progress. Each claim
 * is looked up by its key, one by one, and its job by number, so the planner has no choice.
 */
const saveProgress = compile(
  `with held as materialized (
  select r.pos from unnest(@queues::text[], @positions::bigint[], @fences::int[]) as t(queue, pos, fence)
  cross join lateral (
    select r.pos from andon_running r
    where r.queue = t.queue and r.pos = t.pos and r.fence = t.fence
    for key share skip locked
  ) r
)
update andon_jobs j set progress = @progresses::jsonb ->> j.pos::text
where j.pos = any(array(select pos from held))
returning j.pos`,
  "$",
);

const feedLock = compile(postgresDialect.feedLock ?? "", "$");

const tellProgress = compile(
  `insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select 'job.progress', @now::bigint, j.queue, j.id, j.tenant, j.organization, '{"progress":' || j.progress || '}'
from andon_jobs j where j.pos = any(@positions::bigint[])`,
  "$",
);

export const progressStatements = { saveProgress, tellProgress };

export async function saveProgressPostgres(
  session: Session,
  rows: readonly ProgressRow[],
  now: number,
): Promise<boolean> {
  const saved = await session.all<{ pos: number }>(saveProgress, {
    queues: rows.map((row) => row.queue),
    positions: rows.map((row) => row.pos),
    fences: rows.map((row) => row.fence),
    progresses: JSON.stringify(Object.fromEntries(rows.map((row) => [row.pos, row.progress]))),
  });
  if (saved.length === 0) return false;
  // They run one after the other in the database; both are sent together.
  await Promise.all([
    session.all(feedLock, {}),
    session.run(tellProgress, { positions: saved.map((row) => row.pos), now }),
  ]);
  return true;
}
