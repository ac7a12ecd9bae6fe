import { AndonError } from "@andon/contract";
import type { Store } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { fileLane, laneOf } from "./file-operations.ts";

/** A file with a failed operation of it. One that was deleted for good can still be held by its last operation. */
export interface FailedFile {
  readonly file: File;
  readonly jobId: string;
}

/** The failed operation that a decision about a file means: the one that holds it, else the newest that stands failed. */
export async function failedOperation(
  store: Store,
  tenantId: string | null,
  fileId: string,
): Promise<FailedFile> {
  const file = await fileOf(store, tenantId, fileId);
  const jobId = (await heldBy(store, fileId)) ?? (await newestFailed(store, fileId));
  if (jobId === undefined) throw new AndonError("FILE_NOT_HELD");
  return { file, jobId };
}

async function fileOf(store: Store, tenantId: string | null, fileId: string): Promise<File> {
  const [file] = await store.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  if (!file || (tenantId !== null && file.tenantId !== tenantId)) throw new AndonError("FILE_NOT_FOUND");
  return file;
}

async function heldBy(store: Store, fileId: string): Promise<string | undefined> {
  const lane = await fileLane(store, fileId);
  const job = lane.heldBy === null ? undefined : await store.read.job({ id: lane.heldBy });
  return job?.state === "failed" && job.keys[0] === laneOf(fileId) ? job.id : undefined;
}

async function newestFailed(store: Store, fileId: string): Promise<string | undefined> {
  const failed = await store.query<{ id: string; pos: number }>(
    `select j.id, j.pos from vault_operations o join andon_jobs j on j.id = o.job_id
where o.file_id = $1 and j.state = 'failed'`,
    [fileId],
  );
  return failed.sort((a, b) => b.pos - a.pos)[0]?.id;
}
