import type { Job } from "@andon/contract";
import { type HandlerContext, Unretryable } from "@andon/engine";
import { dayFolder } from "../cache/cache-key.ts";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { nasObject } from "../sync/storage-object.ts";
import type { VaultContext } from "../vault-context.ts";

export interface FetchPayload {
  readonly fileId: string;
}

/** The cursor: what is left to do after the commit. */
interface Fetched {
  /** The key of the replaced bytes, which are removed after the commit. */
  readonly replaced: string | null;
}

/**
 * Copies a file's bytes from the NAS back into the cache, under a new key, because the bytes under the old key may be
 * wrong. The old bytes are removed after the new key is committed, so that a crash in between leaves no file without
 * its bytes.
 */
export async function fetchToCache(
  vault: VaultContext,
  job: Job<FetchPayload>,
  context: HandlerContext,
): Promise<void> {
  const fetched = (job.cursor as Fetched | null) ?? (await fetch(vault, job, context));
  if (fetched.replaced !== null) await vault.cache.remove(fetched.replaced, context.signal);
}

async function fetch(
  { cache, nas, andon }: VaultContext,
  job: Job<FetchPayload>,
  { signal, progress, checkpoint }: HandlerContext,
): Promise<Fetched> {
  const { fileId } = job.payload;
  const [file] = await andon.store.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  if (!file) return { replaced: null };
  const { path, cachePath: before } = await nasObject(andon.store, fileId);
  if (path === null) throw new Unretryable("the NAS has no bytes of this file either");
  const now = andon.store.clock.now();
  const temporary = `${job.id}-${now}`;
  // A key for this run only: bytes that an earlier run left can be so old that the clean-up removes them at any moment.
  const key = `${dayFolder(now)}/${temporary}/${fileId}`;
  const { stream } = await nas.get(path, { signal });
  const { size, sha256 } = file;
  await cache.put(key, stream, { size, sha256, temporary, signal, onProgress: () => progress() });
  const fetched: Fetched = { replaced: before };
  await checkpoint(fetched, async (tx) => {
    await tx.query(
      `update file_storage_objects set path = $2, availability_status = 'AVAILABLE', updated_at = $3
where file_id = $1 and storage_type = 'CACHE'`,
      [fileId, key, andon.store.clock.now()],
    );
  });
  return fetched;
}
