import { AndonError } from "@andon/contract";
import type { Claim, Completion, Store, Tx } from "../ports/store.ts";
import { openAfterProbe } from "./probe.ts";

/** Longest time that a caller's own writes may keep a transaction open. */
export const CALLER_LIMIT_MS = 5_000;

/** What a plain success of a claim writes. `result` is JSON text by now. */
export function completionOf({ pos, fence, job }: Claim, result: string | null): Completion {
  return { pos, fence, keys: job.keys, seq: job.seq, startedAt: job.startedAt ?? job.createdAt, result };
}

/** A completion that brings writes of its own, or that ends a probe: one transaction with all of it. */
export interface SlowCompletion extends Completion {
  readonly queue: string;
  readonly worker: string;
  readonly jobId: string;
  readonly isProbe: boolean;
  readonly writes: ((tx: Tx) => Promise<void> | void) | null;
}

/** Completes a job together with its handler's writes; if the claim was lost, none of them happens. */
export async function complete(store: Store, completion: SlowCompletion): Promise<void> {
  await store.transaction(
    "complete",
    async (tx) => {
      if (completion.isProbe) await tx.lockQueue(completion.queue, "exclusive");
      await completion.writes?.(tx);
      const stood = await tx.finish(completion.queue, completion.worker, completion);
      if (!stood) throw new AndonError("CLAIM_LOST", { job: completion.jobId });
      if (completion.isProbe) await openAfterProbe(tx, completion.queue, completion.jobId);
    },
    CALLER_LIMIT_MS,
  );
  store.signal({ kind: "work", queue: completion.queue });
}
