import { isoOrNull, type JobState, type Language, localError } from "@andon/contract";
import type { LaneState } from "@andon/engine";
import type { SyncOperation } from "../contract/routes.ts";
import { findFile } from "../files/file-row.ts";
import type { QueueStatus } from "../files/queue-status.ts";
import type { Owner } from "../owner.ts";
import type { VaultContext } from "../vault-context.ts";
import { finishedOperations, laneOfFile, type SyncJob, unfinishedOperations } from "./file-operations.ts";
import { maxRetriesOf } from "./sync-queue.ts";

type Finished = "DONE" | "SKIPPED" | "CANCELLED" | "FAILED";

const FINISHED: Partial<Record<JobState, Finished>> = {
  done: "DONE",
  skipped: "SKIPPED",
  resolved: "SKIPPED",
  cancelled: "CANCELLED",
  failed: "FAILED",
};

/** The operations of a file: the current one, those that wait, and those that ended. */
export async function syncStatus(vault: VaultContext, owner: Owner, fileId: string, language: Language) {
  const { andon } = vault;
  const file = await findFile(andon.store, owner, fileId);
  const [lane, unfinished] = await Promise.all([laneOfFile(andon, file), unfinishedOperations(andon, file)]);
  const finished = await finishedOperations(andon, fileId, unfinished);
  const [head] = unfinished;
  const status = head && currentStatus(head, lane);
  return {
    fileId,
    queueStatus: queueStatus(unfinished, lane),
    currentOperation:
      status === undefined ? null : currentOperation(head as SyncJob, status, maxRetriesOf(vault), language),
    pendingOperations: (status === undefined ? unfinished : unfinished.slice(1)).map(shown),
    completedOperations: finished.map((operation) => ({
      ...shown(operation),
      status: FINISHED[operation.state] ?? "DONE",
      completedAt: isoOrNull(operation.finishedAt),
    })),
  };
}

function queueStatus(unfinished: readonly SyncJob[], lane: LaneState | undefined): QueueStatus {
  if (lane?.held) return "HELD";
  if (unfinished.length === 0) return "IDLE";
  return unfinished[0]?.state === "running" ? "PROCESSING" : "PENDING";
}

/** The first operation is the current one once it has started or failed; until then it waits like the others. */
function currentStatus(head: SyncJob, lane: LaneState | undefined) {
  if (head.state === "running") return "IN_PROGRESS";
  if (head.state === "failed") return head.id === lane?.held?.jobId ? "FAILED" : undefined;
  return head.state === "scheduled" || head.attempts > 0 ? "RETRYING" : undefined;
}

function currentOperation(
  head: SyncJob,
  status: "IN_PROGRESS" | "RETRYING" | "FAILED",
  maxRetries: number,
  language: Language,
) {
  const error = head.error && localError(head.error, language).message;
  const retryCount = Math.min(head.attempts, maxRetries);
  return { ...shown(head), status, startedAt: isoOrNull(head.startedAt), retryCount, error };
}

function shown({ name, seq }: SyncJob) {
  return { type: name as SyncOperation, seq: seq as number };
}
