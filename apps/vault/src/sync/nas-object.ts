import type { Tx } from "@andon/engine";
import type { Availability, StorageType } from "../files/entries.ts";
import type { SyncPayload } from "./payload.ts";

/** What the store knows of a file's bytes on the NAS. `path` is where they really lie; null: nowhere. */
export interface NasObject {
  readonly path: string | null;
  readonly status: Availability;
  /** Where they lie in the cache, if they do. */
  readonly cachePath: string | null;
  /** What lies in the cache, where it is still at hand. */
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
 * The bytes of a file lie at this path, whole. With `seen` it is written only where the status still is that one; answers
 * whether it was.
 */
export async function bytesAt(
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

/** A file that was deleted for good, and whose bytes are nobody's any more: its last rows go. */
export async function forgetFile(tx: Tx, fileId: string): Promise<void> {
  await tx.query("delete from file_storage_objects where file_id = $1", [fileId]);
  await tx.query("delete from vault_operations where file_id = $1", [fileId]);
  await tx.query("delete from files where id = $1 and state = 'DELETED'", [fileId]);
}
