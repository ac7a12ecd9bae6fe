import type { Job } from "@andon/contract";
import { pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import { finishMoveByHand, pruneFolders } from "./clear-nas-path.ts";
import { isSuperseded, type SyncJob } from "./file-operations.ts";
import { hasBytes } from "./inspect-nas-path.ts";
import { nasObject } from "./storage-object.ts";
import { pathLane, syncPayloadOf } from "./sync-job.ts";

/** What was found on the NAS before a failed operation is skipped. */
export type SkipFindings = {
  readonly availabilityStatus: "AVAILABLE" | "ERROR";
};

/** The path that is recorded for the file's bytes when its failed operation is skipped; null: no path is known. */
export interface BytesFound extends SkipFindings {
  readonly path: string | null;
}

/**
 * Checks the NAS, and removes what a person who copied the file by hand left at the old path: the database forgets that path
 * with the decision. If the decision is not made after all, a retry finds the file at its target.
 */
export async function beforeSkip(vault: VaultContext, job: Job): Promise<SkipFindings> {
  const { path, availabilityStatus } = await findBytes(vault, job);
  const payload = syncPayloadOf(job);
  if (path !== null && availabilityStatus === "AVAILABLE" && path === payload?.targetPath)
    await clearOldPaths(vault, job as SyncJob, path).catch(() => undefined);
  return { availabilityStatus };
}

/**
 * Removes the old copies, but only while the failed operation holds the lane of their path. What cannot be removed now is found
 * when the database is compared with the NAS.
 */
async function clearOldPaths(vault: VaultContext, job: SyncJob, target: string): Promise<void> {
  const { andon, nas } = vault;
  const { fileId, sourcePath, tenantId } = job.payload;
  const { path: known } = await nasObject(andon.store, fileId);
  for (const old of new Set([known, sourcePath])) {
    if (old === null || old === target || !(await isHeldBy(vault, job, old))) continue;
    if (await finishMoveByHand({ vault, job, readOptions: {} }, old, target))
      await pruneFolders(nas, tenantId, old);
  }
}

async function isHeldBy(
  { andon, settings }: VaultContext,
  { id, tenant }: Job,
  path: string,
): Promise<boolean> {
  const key = pathLane(pathKey(path, settings));
  const [lane] = await andon.reading.lanes(SYNC_QUEUE, [{ tenant, key }]);
  return lane?.held?.jobId === id;
}

/**
 * Whether the operator has done by hand what the operation could not: the file is at its target with the right size and
 * checksum. A NAS that does not answer proves nothing, and a job that is not an operation has no target. The target of
 * a superseded operation proves nothing either: the recorded path and status of the file stay.
 */
export async function findBytes({ andon, nas }: VaultContext, job: Job): Promise<BytesFound> {
  const payload = syncPayloadOf(job);
  if (!payload) return { path: null, availabilityStatus: "ERROR" };
  const { path, status } = await nasObject(andon.store, payload.fileId);
  if (await isSuperseded(andon, job as SyncJob))
    return { path, availabilityStatus: status === "AVAILABLE" ? status : "ERROR" };
  const { targetPath } = payload;
  const isThere = targetPath !== null && (await hasBytes(nas, targetPath, payload).catch(() => false));
  return isThere
    ? { path: targetPath, availabilityStatus: "AVAILABLE" }
    : { path, availabilityStatus: "ERROR" };
}
