import type { Job, SyncOperation } from "@andon/contract";
import { commit, type Handler, Snooze, type Tx } from "@andon/engine";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { type NasObject, nasObject } from "./nas-object.ts";
import { waitsForAnother } from "./obstruction.ts";
import { type OperationRun, operationRun } from "./operation-run.ts";
import { OPERATIONS } from "./operations.ts";
import type { SyncPayload } from "./payload.ts";
import { pruneFolders } from "./prune-folders.ts";

/** How long an operation stands back for another one that is in its way. */
const STAND_BACK_MS = 250;

/**
 * Carries an operation out: it starts from where the bytes really lie, and the store learns of their new place in the
 * transaction that completes the job. Between the two there may be a crash; the next run finds what this one did.
 */
export function syncHandler(parts: VaultParts): Handler<SyncPayload> {
  return async (job, context) => {
    const run = operationRun(parts, job, context);
    const operation = OPERATIONS[job.name as SyncOperation];
    if (!operation) throw new Error(`there is no operation ${job.name}`);
    const object = await nasObject(parts.andon.store, job.payload.fileId);
    try {
      await operation.act(run, object);
    } catch (error) {
      throw (await standsBack(run, error)) ? new Snooze(STAND_BACK_MS) : error;
    }
    await pruneLeft(run, object);
    return commit(async (tx) => {
      await operation.record(run, tx);
      await forgetPurged(tx, job);
    });
  };
}

/**
 * Whether an operation tries again later without a charge, since another one is in its way. The probe of a degraded queue
 * does not: only it is claimed, so it would wait for ever; its failure tells that the NAS is well and lets the others on.
 */
async function standsBack({ parts, job }: OperationRun, error: unknown): Promise<boolean> {
  const { targetPath } = job.payload;
  if (targetPath === null || !(await waitsForAnother(parts, job, targetPath, error))) return false;
  return (await parts.andon.store.read.queue(SYNC_QUEUE))?.probeJobId !== job.id;
}

/** The folders that the bytes left, also those that an earlier run of this operation left. */
async function pruneLeft({ parts, job }: OperationRun, { path }: NasObject): Promise<void> {
  const { sourcePath, targetPath, tenantId } = job.payload;
  for (const left of new Set([path, sourcePath])) {
    if (left !== null && left !== targetPath) await pruneFolders(parts.nas, tenantId, left);
  }
}

/** Jobs that are done are purged by age; what points to them goes with the file's next operation. */
async function forgetPurged(tx: Tx, job: Job<SyncPayload>): Promise<void> {
  await tx.query(
    `delete from vault_operations where file_id = $1
and not exists (select 1 from andon_jobs j where j.id = vault_operations.job_id)`,
    [job.payload.fileId],
  );
}
