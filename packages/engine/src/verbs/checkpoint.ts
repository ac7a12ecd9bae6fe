import { AndonError } from "@andon/contract";
import { jsonText } from "../json-text.ts";
import type { Claim, Store, Tx } from "../ports/store.ts";
import { CALLER_LIMIT_MS } from "./complete.ts";

/**
 * Saves a job's cursor together with the writes up to it; refused once the claim is lost. The claim is locked after the
 * writes: they may take seconds, during which a cancel, and the queue with it, would wait for the lock.
 */
export async function checkpoint(
  store: Store,
  claim: Claim,
  cursor: unknown,
  writes: ((tx: Tx) => Promise<void> | void) | undefined,
): Promise<void> {
  const text = jsonText("cursor", cursor ?? null);
  await store.transaction(
    "checkpoint",
    async (tx) => {
      await writes?.(tx);
      const stands = await tx.saveCheckpoint(claim.pos, claim.fence, text, claim.progress);
      if (!stands) throw new AndonError("CLAIM_LOST", { job: claim.job.id });
    },
    CALLER_LIMIT_MS,
  );
}
