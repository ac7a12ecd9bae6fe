import type { Job } from "@andon/contract";
import type { VaultParts } from "../parts.ts";
import type { SyncPayload } from "./payload.ts";
import { hasBytes } from "./same-bytes.ts";

/** What was found on the NAS before a failed operation is settled by hand. */
export interface SkipFindings {
  readonly availabilityStatus: "AVAILABLE" | "ERROR";
}

/**
 * Looks whether the operator has done by hand what the operation could not: the file lies at its target with the right
 * size and checksum. A NAS that does not answer has not shown it.
 */
export async function beforeSkip({ nas }: VaultParts, job: Job): Promise<SkipFindings> {
  const { targetPath, size, sha256 } = job.payload as SyncPayload;
  const isThere =
    targetPath !== null && (await hasBytes(nas, targetPath, { size, sha256 }).catch(() => false));
  return { availabilityStatus: isThere ? "AVAILABLE" : "ERROR" };
}
