import type { Job } from "@andon/contract";
import { type Commit, commit, type Tx } from "@andon/engine";
import { forgetIfDeleted } from "./forget-deleted.ts";
import { type NasObject, nasObject, setStatus } from "./nas-object.ts";
import type { OperationRun } from "./operation-run.ts";
import type { SyncPayload } from "./payload.ts";
import { isRightPlace } from "./right-place.ts";
import { hasBytes } from "./same-bytes.ts";

/**
 * Whether a file has gone on without this operation: one that was queued later is done, or the file is deleted for good
 * and its rows are gone. That happens to an operation that failed and left its lanes (`cancel-rest`). Carried out late it
 * would take back what came after it.
 *
 * Jobs that are done are purged by age, failed ones stay: a later operation whose job is gone has ended long ago.
 */
export async function isSuperseded(rows: Pick<Tx, "query">, { id, payload }: Job<SyncPayload>) {
  const [found] = await rows.query(
    `select 1 as one where not exists (select 1 from files where id = $1) or exists (
  select 1 from vault_operations mine
  join andon_jobs own on own.id = mine.job_id
  join vault_operations o on o.file_id = mine.file_id
  left join andon_jobs later on later.id = o.job_id
  where mine.file_id = $1 and mine.job_id = $2
  and (later.state = 'done' and later.pos > own.pos or later.id is null and o.created_at > mine.created_at)
)`,
    [payload.fileId, id],
  );
  return found !== undefined;
}

/** Ends a superseded operation: nothing moves, and the store learns whether the bytes are where it knows them. */
export async function endSuperseded(run: OperationRun, { path }: NasObject): Promise<Commit> {
  const { parts, job, reading } = run;
  const { fileId } = job.payload;
  const isThere = path !== null && (await hasBytes(parts.nas, path, job.payload, reading));
  return commit(
    async (tx) => {
      const isKnown = isThere && (await nasObject(tx, fileId)).path === path;
      const isRight = isKnown && (await isRightPlace(tx, job, path));
      await setStatus(tx, fileId, isRight ? "AVAILABLE" : "ERROR", parts.andon.store.clock.now());
      await forgetIfDeleted(parts, tx, job);
    },
    { superseded: true },
  );
}
