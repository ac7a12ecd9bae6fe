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

/**
 * Looks whether the operator has done by hand what the operation could not: the file lies at its target with the right
 * size and checksum. A NAS that does not answer has not shown it, and a job that is no operation has no target. Where the
 * file went on without the operation, that it came to its target would say nothing: what the store knows of the file stands.
 */
export async function beforeSkip({ andon, nas }: VaultParts, job: Job): Promise<SkipFindings> {
  const payload = syncPayloadOf(job);
  if (payload && (await isSuperseded(andon.store, job as Job<SyncPayload>))) {
    const { status } = await nasObject(andon.store, payload.fileId);
    return { availabilityStatus: status === "AVAILABLE" ? status : "ERROR" };
  }
  const targetPath = payload?.targetPath ?? null;
  const isThere =
    payload !== undefined &&
    targetPath !== null &&
    (await hasBytes(nas, targetPath, payload).catch(() => false));
  return { availabilityStatus: isThere ? "AVAILABLE" : "ERROR" };
}
