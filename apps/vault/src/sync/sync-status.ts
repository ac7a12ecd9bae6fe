import { isoOrNull, type JobState } from "@andon/contract";
import { findFile } from "../files/file-row.ts";
import type { QueueStatus } from "../files/queue-status.ts";
import type { VaultParts } from "../parts.ts";
import {
  type FileLane,
  type FileOperation,
  fileLane,
  finishedOperations,
  unfinishedOperations,
} from "./file-operations.ts";
import { maxRetriesOf } from "./sync-rules.ts";

type Finished = "DONE" | "SKIPPED" | "CANCELLED" | "FAILED";

const FINISHED: Partial<Record<JobState, Finished>> = {
  done: "DONE",
  skipped: "SKIPPED",
  resolved: "SKIPPED",
  cancelled: "CANCELLED",
  failed: "FAILED",
};

/** What the NAS still has to follow for a file, and what it did. */
export async function syncStatus(parts: VaultParts, tenantId: string, fileId: string) {
  const { store } = parts.andon;
  await findFile(store, tenantId, fileId);
  const [lane, unfinished, finished] = await Promise.all([
    fileLane(store, fileId),
    unfinishedOperations(store, fileId),
    finishedOperations(store, fileId),
  ]);
  const [head] = unfinished;
  const status = head && currentStatus(head, lane);
  return {
    fileId,
    queueStatus: queueStatus(unfinished, lane),
    currentOperation:
      status === undefined ? null : currentOperation(head as FileOperation, status, maxRetriesOf(parts)),
    pendingOperations: (status === undefined ? unfinished : unfinished.slice(1)).map(shown),
    completedOperations: finished.map((operation) => ({
      ...shown(operation),
      status: FINISHED[operation.state] ?? "DONE",
      completedAt: isoOrNull(operation.finishedAt),
    })),
  };
}

function queueStatus(unfinished: readonly FileOperation[], lane: FileLane): QueueStatus {
  if (lane.heldAt !== null) return "HELD";
  if (unfinished.length === 0) return "IDLE";
  return unfinished[0]?.state === "running" ? "PROCESSING" : "PENDING";
}

/** The first operation is the current one when it has begun in any way; until then it waits like the others. */
function currentStatus(head: FileOperation, lane: FileLane) {
  if (head.state === "running") return "IN_PROGRESS";
  if (head.state === "failed") return head.id === lane.heldBy ? "FAILED" : undefined;
  return head.state === "scheduled" || head.retryCount > 0 ? "RETRYING" : undefined;
}

function currentOperation(
  head: FileOperation,
  status: "IN_PROGRESS" | "RETRYING" | "FAILED",
  maxRetries: number,
) {
  const { error } = head;
  const retryCount = Math.min(head.retryCount, maxRetries);
  return { ...shown(head), status, startedAt: isoOrNull(head.startedAt), retryCount, error };
}

function shown({ type, seq }: FileOperation) {
  return { type, seq };
}
