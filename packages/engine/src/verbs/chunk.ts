import { AndonError } from "@andon/contract";
import type { BulkBoundary, BulkPresets, ChunkFacts, Claim, Store, Tx } from "../ports/store.ts";
import { CALLER_LIMIT_MS } from "./complete.ts";

/** A walk begins: its job's row is made, or read with the wish that an earlier walk may have left behind. */
export async function beginBulk(store: Store, claim: Claim, presets: BulkPresets): Promise<BulkBoundary> {
  return store.transaction("bulk-begin", async (tx) =>
    stillOurs(claim, await tx.beginBulk(claim.pos, claim.fence, presets)),
  );
}

/** Fixes how many items there are, together with what is written for it; once in a job's life. */
export async function startBulk(
  store: Store,
  claim: Claim,
  total: (tx: Tx) => Promise<number | null>,
): Promise<number | null> {
  return store.transaction(
    "bulk-start",
    async (tx) => {
      const fixed = await total(tx);
      stillOurs(claim, (await tx.startBulk(claim.pos, claim.fence, fixed)) || undefined);
      return fixed;
    },
    CALLER_LIMIT_MS,
  );
}

/**
 * Commits a chunk: its writes, the cursor behind it and the counts, and reads whether somebody wants the job to stop. As with a
 * checkpoint, the claim is locked after the writes, which may take seconds.
 */
export async function commitChunk(
  store: Store,
  claim: Claim,
  write: (tx: Tx) => Promise<void> | void,
  facts: () => ChunkFacts,
): Promise<BulkBoundary> {
  const boundary = await store.transaction(
    "chunk",
    async (tx) => {
      await write(tx);
      return stillOurs(claim, await tx.saveChunk(claim.pos, claim.fence, facts()));
    },
    CALLER_LIMIT_MS,
  );
  // Attempts count anew, here as in the store.
  claim.job.attempts = 0;
  return boundary;
}

/** What is known of a job whose walk pauses. */
export async function inspectBulk(store: Store, claim: Claim): Promise<BulkBoundary> {
  return stillOurs(claim, (await store.read.bulks([claim.pos])).get(claim.pos));
}

function stillOurs<T>(claim: Claim, found: T | undefined): T {
  if (found === undefined) throw new AndonError("CLAIM_LOST", { job: claim.job.id });
  return found;
}
