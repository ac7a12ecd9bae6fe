import type { Andon, LaneState } from "@andon/engine";
import { fileLane } from "../sync/sync-job.ts";
import { SYNC_QUEUE } from "../vault-context.ts";
import type { File } from "./file-row.ts";

export type QueueStatus = "IDLE" | "PENDING" | "PROCESSING" | "HELD";

/** The queue status of each of these files, in one statement. */
export async function queueStatusOf(
  { reading }: Andon,
  files: readonly Pick<File, "id" | "tenantId">[],
): Promise<(fileId: string) => QueueStatus> {
  const lanes = await reading.lanes(
    SYNC_QUEUE,
    files.map(({ id, tenantId }) => ({ tenant: tenantId, key: fileLane(id) })),
  );
  const statuses = new Map(lanes.map((lane) => [lane.key, statusOf(lane)]));
  return (fileId) => statuses.get(fileLane(fileId)) ?? "IDLE";
}

function statusOf({ held, depth, isRunning }: LaneState): QueueStatus {
  if (held) return "HELD";
  if (depth === 0) return "IDLE";
  return isRunning ? "PROCESSING" : "PENDING";
}
