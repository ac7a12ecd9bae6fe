import { AndonError } from "@andon/contract";
import type { BulkBoundary, BulkPresets, ChunkFacts, Claim, Store, Tx } from "../ports/store.ts";
import { CALLER_LIMIT_MS } from "./complete.ts";

/** Begins a walk: creates its job's bulk row, or reads it with an abort request that an earlier walk has left. */
export async function beginBulk(store: Store, claim: Claim, presets: BulkPresets): Promise<BulkBoundary> {
  return store.transaction("bulk-begin", async (tx) =>
    stillOurs(claim, await tx.beginBulk(claim.pos, claim.fence, presets)),
  );
}

/** Fixes the number of items, together with the handler's own writes; once per job. */
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
 * Commits a chunk: its writes, the cursor behind it and the counts, and reads whether an abort is requested. As with a
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
  // A chunk resets the attempts, here as in the store.
  claim.job.attempts = 0;
  return boundary;
}

/** The bulk data of a job whose walk pauses. */
export async function inspectBulk(store: Store, claim: Claim): Promise<BulkBoundary> {
  return stillOurs(claim, (await store.read.bulks([claim.pos])).get(claim.pos));
}

function stillOurs<T>(claim: Claim, found: T | undefined): T {
  if (found === undefined) throw new AndonError("CLAIM_LOST", { job: claim.job.id });
  return found;
}
