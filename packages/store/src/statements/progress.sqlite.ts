import type { ProgressRow } from "@andon/engine";
import type { SyncSession } from "../sqlite/session.ts";

/* The progress of many jobs on SQLite: prepared statements row by row in one transaction, some microseconds each. */
const SAVE = `update andon_jobs set progress = ?4 where pos = ?2 and exists (
  select 1 from andon_running where queue = ?1 and pos = ?2 and fence = ?3
)`;
const TELL = `insert into andon_events (type, at, queue, job_id, tenant, organization, data)
select 'job.progress', ?2, queue, id, tenant, organization, '{"progress":' || progress || '}' from andon_jobs where pos = ?1`;

/** For packages/store/queries. */
export const progressTexts = { "progress-save": SAVE, "progress-tell": TELL };

export function saveProgressSqlite(session: SyncSession, rows: readonly ProgressRow[], now: number): boolean {
  const save = session.prepare(SAVE);
  const tell = session.prepare(TELL);
  let told = false;
  for (const { queue, pos, fence, progress } of rows) {
    if (save.run(queue, pos, fence, progress).changes === 0) continue;
    tell.run(pos, now);
    told = true;
  }
  return told;
}
