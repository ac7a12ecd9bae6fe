import type { Job } from "@andon/contract";
import { type Commit, commit, type HandlerContext, Unretryable } from "@andon/engine";
import { dayFolder } from "../cache/cache-key.ts";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import type { VaultParts } from "../parts.ts";
import { nasObject } from "../sync/nas-object.ts";

export interface FetchPayload {
  readonly fileId: string;
}

/** Brings a file's bytes from the NAS back into the cache, under a new key: what lies under the old one may be wrong. */
export async function fetchToCache(
  parts: VaultParts,
  job: Job<FetchPayload>,
  { signal, progress }: HandlerContext,
): Promise<Commit | undefined> {
  const { cache, nas, andon } = parts;
  const { fileId } = job.payload;
  const [file] = await andon.store.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  if (!file) return undefined;
  const { path, cachePath: before } = await nasObject(andon.store, fileId);
  if (path === null) throw new Unretryable("the NAS has no bytes of this file either");
  const key = `${dayFolder(job.createdAt)}/${job.id}/${fileId}`;
  const { stream } = await nas.get(path, { signal });
  const { size, sha256 } = file;
  const temporary = `${job.id}-${andon.store.clock.now()}`;
  await cache.put(key, stream, { size, sha256, temporary, signal, onProgress: () => progress() });
  if (before !== null && before !== key) await cache.remove(before);
  return commit(async (tx) => {
    await tx.query(
      `update file_storage_objects set path = $2, availability_status = 'AVAILABLE', updated_at = $3
where file_id = $1 and storage_type = 'CACHE'`,
      [fileId, key, andon.store.clock.now()],
    );
  });
}
