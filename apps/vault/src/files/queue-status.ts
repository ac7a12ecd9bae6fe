import type { Tx } from "@andon/engine";
import { SYNC_QUEUE } from "../parts.ts";
import { inList } from "../sql-lists.ts";

export type QueueStatus = "IDLE" | "PENDING" | "PROCESSING" | "HELD";

/** How the queue of each of these files stands, in one statement. */
export async function queueStatusOf(
  rows: Pick<Tx, "query">,
  fileIds: readonly string[],
): Promise<(fileId: string) => QueueStatus> {
  if (fileIds.length === 0) return () => "IDLE";
  const { list, params } = inList(
    fileIds.map((id) => `file:${id}`),
    1,
  );
  const lanes = await rows.query<{ key: string; held_at: number | null; running: number }>(
    `select l.lane_key as key, l.held_at, count(r.pos) as running
from andon_lanes l
left join andon_lane_jobs j on j.queue = l.queue and j.lane_key = l.lane_key and j.seq = l.head_seq
left join andon_running r on r.queue = j.queue and r.pos = j.pos
where l.queue = $1 and l.lane_key in (${list}) and (l.depth > 0 or l.held_at is not null)
group by l.lane_key, l.held_at`,
    [SYNC_QUEUE, ...params],
  );
  const statuses = new Map(lanes.map((lane) => [lane.key, statusOf(lane)]));
  return (fileId) => statuses.get(`file:${fileId}`) ?? "IDLE";
}

function statusOf({ held_at, running }: { held_at: number | null; running: number }): QueueStatus {
  if (held_at !== null) return "HELD";
  return running > 0 ? "PROCESSING" : "PENDING";
}
