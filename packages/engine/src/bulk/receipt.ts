import type { AbortReceipt, AbortWish, QueueRules } from "@andon/contract";
import type { BulkRow, JobRow } from "../ports/store.ts";

/** A boundary may be one commit and one whole chunk away; chunks differ, and the wish has to reach the worker. */
const CHUNKS = 1.5;
const MARGIN_MS = 500;

/** Within how many milliseconds a running job stops: from the chunk times seen, or the most that a chunk may take. */
export function stopsWithin(bulk: Pick<BulkRow, "chunkMs"> | undefined, { timeout }: QueueRules): number {
  return Math.ceil((bulk?.chunkMs ?? timeout) * CHUNKS) + MARGIN_MS;
}

/** What an abort did to a job that has ended since. */
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
