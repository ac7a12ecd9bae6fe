import type { AbortReceipt, AbortWish, QueueRules } from "@andon/contract";
import type { BulkRow, JobRow } from "../ports/store.ts";

/**
 * The next boundary may be a commit and a whole chunk away; chunks differ in length, and the request has to reach the
 * worker.
 */
const CHUNKS = 1.5;
const MARGIN_MS = 500;

/**
 * The time within which a running job stops, in milliseconds: from measured chunk times, else from the queue's timeout.
 */
export function stopsWithin(bulk: Pick<BulkRow, "chunkMs"> | undefined, { timeout }: QueueRules): number {
  return Math.ceil((bulk?.chunkMs ?? timeout) * CHUNKS) + MARGIN_MS;
}

/** The receipt of an abort, for a job that has ended. */
export function receiptOf(
  job: Pick<JobRow, "cursor">,
  bulk: Pick<BulkRow, "processed" | "total"> | undefined,
  { by, reason, requestedAt }: AbortWish,
  end: Pick<AbortReceipt, "outcome" | "stoppedAt">,
): AbortReceipt {
  return {
    outcome: end.outcome,
    requestedAt,
    stoppedAt: end.stoppedAt,
    cursor: job.cursor,
    processed: bulk?.processed ?? 0,
    total: bulk?.total ?? null,
    by,
    reason,
  };
}
