import { AndonError } from "@andon/contract";
import { jsonText } from "../json-text.ts";
import type { Claim, Store, Tx } from "../ports/store.ts";
import { CALLER_LIMIT_MS } from "./complete.ts";

/** Saves how far a job has come, together with the writes of that part; refused once the claim is lost. */
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
      const stands = await tx.saveCheckpoint(claim.pos, claim.fence, text);
      if (!stands) throw new AndonError("CLAIM_LOST", { job: claim.job.id });
      await writes?.(tx);
    },
    CALLER_LIMIT_MS,
  );
}
