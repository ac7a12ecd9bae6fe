import type { Job } from "@andon/contract";
import { type HandlerContext, Unretryable } from "@andon/engine";
import { dayFolder } from "../cache/cache-key.ts";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import type { VaultParts } from "../parts.ts";
import { nasObject } from "../sync/nas-object.ts";

export interface FetchPayload {
  readonly fileId: string;
}

/** Where a run goes on that died after its commit. */
interface Fetched {
  /** The key of the bytes that nobody needs any more. */
  readonly replaced: string | null;
}

/**
 * Brings a file's bytes from the NAS back into the cache, under a new key: what lies under the old one may be wrong. It is
 * removed once the store names the new one: a run that ends in between leaves no file without its bytes.
 */
export async function fetchToCache(
  parts: VaultParts,
  job: Job<FetchPayload>,
  context: HandlerContext,
): Promise<void> {
  const fetched = (job.cursor as Fetched | null) ?? (await fetch(parts, job, context));
  if (fetched.replaced !== null) await parts.cache.remove(fetched.replaced, context.signal);
}

async function fetch(
  { cache, nas, andon }: VaultParts,
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
  // A key of this run's own: bytes that an earlier run left are old enough for the cleaning to take them at any moment.
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
