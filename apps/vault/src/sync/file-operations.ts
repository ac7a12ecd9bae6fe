import type { JobState, SyncOperation } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { SYNC_QUEUE } from "../parts.ts";

/** One operation of a file with how it stands. */
export interface FileOperation {
  readonly id: string;
  readonly type: SyncOperation;
  readonly seq: number;
  readonly state: JobState;
  readonly retryCount: number;
  readonly error: string | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly payload: string;
}

/** The lane of a file. */
export interface FileLane {
  readonly depth: number;
  readonly heldAt: number | null;
  /** The failed operation that holds it. */
  readonly heldBy: string | null;
}

const COLUMNS = `j.id, j.name as type, j.seq, j.job_state as state, j.attempts as "retryCount",
j.error_message as error, coalesce(j.running_since, j.started_at) as "startedAt", j.finished_at as "finishedAt", j.payload`;

/** A file that is renamed all day has many; the latest ones are shown. */
const MOST_FINISHED = 100;

/** What the file still has before it, in order. */
export async function unfinishedOperations(
  rows: Pick<Tx, "query">,
  fileId: string,
): Promise<FileOperation[]> {
  return rows.query<FileOperation>(
    `select ${COLUMNS} from andon_lane_jobs o join andon_job_states j on j.pos = o.pos
where o.queue = $1 and o.lane_key = $2 order by o.seq`,
    [SYNC_QUEUE, laneOf(fileId)],
  );
}

/** What it has behind it, in order: everything that has left its lane. */
export async function finishedOperations(rows: Pick<Tx, "query">, fileId: string): Promise<FileOperation[]> {
  const found = await rows.query<FileOperation>(
    `select ${COLUMNS} from vault_operations o join andon_job_states j on j.id = o.job_id
where o.file_id = $1 and j.state <> 'open'
and not exists (select 1 from andon_lane_jobs l where l.pos = j.pos)
order by j.seq desc limit ${MOST_FINISHED}`,
    [fileId],
  );
  return found.reverse();
}

export async function fileLane(rows: Pick<Tx, "query">, fileId: string): Promise<FileLane> {
  const [lane] = await rows.query<FileLane>(
    `select depth, held_at as "heldAt", held_job_id as "heldBy" from andon_lanes where queue = $1 and lane_key = $2`,
    [SYNC_QUEUE, laneOf(fileId)],
  );
  return lane ?? { depth: 0, heldAt: null, heldBy: null };
}

export function laneOf(fileId: string): string {
  return `file:${fileId}`;
}
