import type { Job } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { presentPath } from "../nas/present-path.ts";
import { SYNC_QUEUE } from "../parts.ts";
import { laneOf } from "./file-operations.ts";
import type { SyncPayload } from "./payload.ts";

/** The last operation that a file still has before it, beside this one. */
export async function lastUnfinished(tx: Tx, job: Job<SyncPayload>): Promise<SyncPayload | undefined> {
  const [last] = await tx.query<{ payload: string }>(
    `select j.payload from andon_lane_jobs o join andon_jobs j on j.pos = o.pos
where o.queue = $1 and o.lane_key = $2 and j.id <> $3 and j.state = 'open' order by o.seq desc limit 1`,
    [SYNC_QUEUE, laneOf(job.payload.fileId), job.id],
  );
  return last && (JSON.parse(last.payload) as SyncPayload);
}

/** Whether this is where a file is to lie on the NAS. Of one whose rows are gone nothing is to lie anywhere. */
export async function isPresentPath(tx: Tx, fileId: string, path: string | null): Promise<boolean> {
  const [file] = await tx.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  return path === (file ? await presentPath(tx, file) : null);
}

/** Whether bytes at this path are where their file is to lie, or have an operation before them that takes them there. */
export async function isRightPlace(tx: Tx, job: Job<SyncPayload>, path: string): Promise<boolean> {
  return (await lastUnfinished(tx, job)) !== undefined || (await isPresentPath(tx, job.payload.fileId, path));
}
