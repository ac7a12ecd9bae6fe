import type { Tx } from "@andon/engine";
import { DROP_CACHED_JOB, type DroppedBytes } from "../cache/drop-cached.ts";
import type { Availability, StorageType } from "../files/entries.ts";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { expectedPath } from "../nas/expected-path.ts";
import { VAULT_QUEUE, type VaultContext } from "../vault-context.ts";
import { hasOperationsLeft, lastUnfinished, type SyncJob } from "./file-operations.ts";
import { fileLane, type SyncPayload } from "./sync-job.ts";

/** What the database knows about a file's bytes on the NAS. `path` is where they really are; null: nowhere. */
export interface NasObject {
  readonly path: string | null;
  readonly status: Availability;
  /** Their key in the cache, if they are there. */
  readonly cachePath: string | null;
  /** The bytes themselves, if this process still has them in memory. */
  readonly bytes?: Uint8Array;
}

type StoredFile = Pick<SyncPayload, "fileId" | "size" | "sha256">;

export async function nasObject(rows: Pick<Tx, "query">, fileId: string): Promise<NasObject> {
  const found = await rows.query<{ type: StorageType; path: string | null; status: Availability }>(
    `select storage_type as type, path, availability_status as status from file_storage_objects
where file_id = $1`,
    [fileId],
  );
  const { path, status } = found.find(({ type }) => type === "NAS") ?? { path: null, status: "ABSENT" };
  return { path, status, cachePath: found.find(({ type }) => type === "CACHE")?.path ?? null };
}

/**
 * Records that the whole file is at this path. With `seen`, only while the status is still that one. Returns whether it
 * was recorded.
 */
export async function recordBytesAt(
  tx: Tx,
  file: StoredFile,
  path: string,
  now: number,
  seen: Availability | null = null,
): Promise<boolean> {
  const written = await tx.query(
    `update file_storage_objects set path = $2, size = $3, sha256 = $4, availability_status = 'AVAILABLE', updated_at = $5
where file_id = $1 and storage_type = 'NAS' and availability_status = coalesce($6, availability_status)
returning file_id`,
    [file.fileId, path, file.size, file.sha256, now, seen],
  );
  return written.length > 0;
}

export async function setStatus(tx: Tx, fileId: string, status: Availability, now: number): Promise<void> {
  await tx.query(
    `update file_storage_objects set availability_status = $2, updated_at = $3
where file_id = $1 and storage_type = 'NAS'`,
    [fileId, status, now],
  );
}

/** Removes the last rows of a file that was deleted for good. */
export async function forgetFile(tx: Tx, fileId: string): Promise<void> {
  await tx.query("delete from file_storage_objects where file_id = $1", [fileId]);
  await tx.query("delete from vault_operations where file_id = $1", [fileId]);
  await tx.query("delete from files where id = $1 and state = 'DELETED'", [fileId]);
}

/**
 * Called when an operation has ended. If its file is deleted for good and no operation is left that would remove its bytes,
 * the DELETE was given up: what is left on the NAS belongs to no file, and the bytes in the cache are removed.
 */
export async function forgetIfDeleted(vault: VaultContext, tx: Tx, job: SyncJob): Promise<void> {
  const { id, tenant, payload } = job;
  const { fileId } = payload;
  const [deleted] = await tx.query("select 1 as one from files where id = $1 and state = 'DELETED'", [
    fileId,
  ]);
  if (!deleted || (await hasOperationsLeft(vault.andon, fileId, { tx, except: id }))) return;
  const { cachePath } = await nasObject(tx, fileId);
  await forgetFile(tx, fileId);
  if (cachePath === null) return;
  const dropped: DroppedBytes = { path: cachePath };
  const organization = job.organization ?? undefined;
  const options = { tx, name: DROP_CACHED_JOB, key: fileLane(fileId), tenant, organization };
  await vault.queue(VAULT_QUEUE).add(dropped, options);
}

/** Whether this is the file's path on the NAS by the database; null for a file whose rows are gone. */
export async function isExpectedPath(tx: Tx, fileId: string, path: string | null): Promise<boolean> {
  const [file] = await tx.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  return path === (file ? await expectedPath(tx, file) : null);
}

/** Whether bytes at this path are where their file belongs, or another operation will move them there. */
export async function isExpectedAt(
  { andon }: VaultContext,
  tx: Tx,
  job: SyncJob,
  path: string,
): Promise<boolean> {
  const next = await lastUnfinished(andon, tx, job);
  return next !== undefined || isExpectedPath(tx, job.payload.fileId, path);
}
