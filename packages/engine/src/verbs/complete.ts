import { AndonError } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { advanceOf } from "../lifecycle/stages.ts";
import type { Claim, Completion, Store, Tx } from "../ports/store.ts";
import { openAfterProbe } from "./probe.ts";

/** Longest time that a caller's own writes may keep a transaction open. */
export const CALLER_LIMIT_MS = 5_000;
/** The same for a group, where the other jobs wait for them: writes that need longer get a transaction of their own. */
const GROUP_LIMIT_MS = 1_000;

/** The completion of a plain success of a claim. `result` is JSON text. */
export function completionOf(claim: Claim, result: string | null): Completion {
  const { pos, fence, job, progress } = claim;
  const startedAt = job.startedAt ?? job.createdAt;
  const completion = { pos, fence, lanes: lanesOf(job), seq: job.seq, startedAt, result, progress };
  return job.stage === null ? completion : { ...completion, advance: advanceOf(claim, result) };
}

/** A completion with writes of its own, or of a probe: everything is written in one transaction. */
export interface SlowCompletion extends Completion {
  readonly queue: string;
  readonly worker: string;
  readonly jobId: string;
  readonly isProbe: boolean;
  readonly writes: ((tx: Tx) => Promise<void> | void) | null;
}

/**
 * Completes jobs of one worker and queue together with their handlers' writes, one after the other; if a claim was lost,
 * none of it happens.
 */
export async function complete(store: Store, completions: readonly SlowCompletion[]): Promise<void> {
  const [{ queue, worker, jobId }] = completions as [SlowCompletion];
  const isProbe = completions.some((completion) => completion.isProbe);
  await store.transaction(
    "complete",
    async (tx) => {
      if (isProbe) await tx.lockQueue(queue, "exclusive");
      for (const { writes } of completions) await writes?.(tx);
      const stood = await tx.finish(queue, worker, completions);
      if (!stood) throw new AndonError("CLAIM_LOST", { job: jobId });
      if (isProbe) await openAfterProbe(tx, queue, jobId);
    },
    completions.length > 1 ? GROUP_LIMIT_MS : CALLER_LIMIT_MS,
  );
  store.signal({ kind: "work", queue });
}
