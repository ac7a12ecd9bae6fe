import type { Job } from "@andon/contract";
import type { VaultParts } from "../parts.ts";
import { nasObject } from "./nas-object.ts";
import { type SyncPayload, syncPayloadOf } from "./payload.ts";
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

export async function beforeSkip(parts: VaultParts, job: Job): Promise<SkipFindings> {
  const { availabilityStatus } = await lookForBytes(parts, job);
  return { availabilityStatus };
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
