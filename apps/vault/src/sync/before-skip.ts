import type { Job } from "@andon/contract";
import { pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { endCopyByHand } from "./copied-by-hand.ts";
import { nasObject } from "./nas-object.ts";
import { pathLane, type SyncPayload, syncPayloadOf } from "./payload.ts";
import { pruneFolders } from "./prune-folders.ts";
import { hasBytes } from "./same-bytes.ts";
import { isSuperseded } from "./superseded.ts";

/** What was found on the NAS before a failed operation is settled by hand. */
export interface SkipFindings {
  readonly availabilityStatus: "AVAILABLE" | "ERROR";
}

/** Where the bytes of a file lie for the store once its failed operation is settled by hand; null: nowhere it knows of. */
export interface BytesFound extends SkipFindings {
  readonly path: string | null;
}

/**
 * Looks, and takes away what a person who copied the file by hand has left where it was: the store forgets that place with
 * the decision. Should the decision not come about, the operation finds the file at its target when it is retried.
 */
export async function beforeSkip(parts: VaultParts, job: Job): Promise<SkipFindings> {
  const { path, availabilityStatus } = await lookForBytes(parts, job);
  const payload = syncPayloadOf(job);
  if (path !== null && availabilityStatus === "AVAILABLE" && path === payload?.targetPath)
    await clearLeft(parts, job as Job<SyncPayload>, path).catch(() => undefined);
  return { availabilityStatus };
}

/**
 * Only while the failed operation keeps everybody else from the place. Whatever cannot be taken away now is found as nobody's when
 * the store is compared with the NAS.
 */
async function clearLeft(parts: VaultParts, job: Job<SyncPayload>, target: string): Promise<void> {
  const { andon, nas } = parts;
  const { fileId, sourcePath, tenantId } = job.payload;
  const { path: known } = await nasObject(andon.store, fileId);
  for (const left of new Set([known, sourcePath])) {
    if (left === null || left === target || !(await isHeldBy(parts, job, left))) continue;
    if (await endCopyByHand({ parts, job, reading: {} }, left, target))
      await pruneFolders(nas, tenantId, left);
  }
}

async function isHeldBy({ andon, settings }: VaultParts, { id }: Job, path: string): Promise<boolean> {
  const [lane] = await andon.store.query(
    "select 1 as one from andon_lanes where queue = $1 and lane_key = $2 and held_job_id = $3",
    [SYNC_QUEUE, pathLane(pathKey(path, settings)), id],
  );
  return lane !== undefined;
}

/**
 * Looks whether the operator has done by hand what the operation could not: the file lies at its target with the right
 * size and checksum. A NAS that does not answer has not shown it, and a job that is no operation has no target. Where the
 * file went on without the operation, that it came to its target would say nothing: what the store knows of the file stands.
 */
export async function lookForBytes({ andon, nas }: VaultParts, job: Job): Promise<BytesFound> {
  const payload = syncPayloadOf(job);
  if (!payload) return { path: null, availabilityStatus: "ERROR" };
  const { path, status } = await nasObject(andon.store, payload.fileId);
  if (await isSuperseded(andon.store, job as Job<SyncPayload>))
    return { path, availabilityStatus: status === "AVAILABLE" ? status : "ERROR" };
  const { targetPath } = payload;
  const isThere = targetPath !== null && (await hasBytes(nas, targetPath, payload).catch(() => false));
  return isThere
    ? { path: targetPath, availabilityStatus: "AVAILABLE" }
    : { path, availabilityStatus: "ERROR" };
}
