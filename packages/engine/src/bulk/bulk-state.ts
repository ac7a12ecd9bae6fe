import type { AbortReceipt, AbortWish, BulkState } from "@andon/contract";
import type { BulkBoundary, JobRow } from "../ports/store.ts";
import { receiptOf } from "./receipt.ts";

/** The progress of a bulk job, as readers see it. */
export function bulkStateOf(job: JobRow, bulk: BulkBoundary | undefined): BulkState {
  const isRunning = job.state === "running";
  const ratePerSecond = isRunning ? (bulk?.rate ?? null) : null;
  return {
    jobId: job.id,
    state: job.state,
    cursor: job.cursor,
    processed: bulk?.processed ?? 0,
    total: bulk?.total ?? null,
    ratePerSecond,
    estimatedEndAt: bulk ? estimatedEnd(bulk, ratePerSecond) : null,
    lastChunkAt: bulk?.chunkAt ?? null,
    throttle: { pauseMs: bulk?.pauseMs ?? 0, maxPerSecond: bulk?.maxPerSecond || null },
    isThrottleStored: (bulk?.pauseMs ?? null) !== null,
    queueMaxPerSecond: bulk?.queueMaxPerSecond ?? null,
    slowed: isRunning && bulk ? slowedOf(bulk) : null,
    abort: bulk?.wish ? wishOf(bulk.wish) : null,
    receipt: bulk?.wish ? receiptIn(job, bulk, bulk.wish) : null,
    resumedAt: bulk?.resumedAt ?? null,
  };
}

function slowedOf({ slowMs, slowLimitMs }: BulkBoundary): BulkState["slowed"] {
  return slowMs === null || slowLimitMs === null ? null : { averageMs: slowMs, limitMs: slowLimitMs };
}

function wishOf({ by, reason, requestedAt }: AbortWish): AbortWish {
  return { by, reason, requestedAt };
}

/** A job that is done despite an abort request was at its last chunk; it gets a receipt too. */
function receiptIn(job: JobRow, bulk: BulkBoundary, wish: AbortWish): AbortReceipt | null {
  const { state, finishedAt } = job;
  if ((state !== "aborted" && state !== "done") || finishedAt === null) return null;
  return receiptOf(job, bulk, wish, { outcome: state, stoppedAt: finishedAt });
}

function estimatedEnd({ chunkAt, processed, total }: BulkBoundary, rate: number | null): number | null {
  if (total === null || chunkAt === null || !rate) return null;
  return chunkAt + Math.round((Math.max(0, total - processed) / rate) * 1_000);
}
