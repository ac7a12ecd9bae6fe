import type { Store } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { presentPath } from "../nas/present-path.ts";
import type { VaultParts } from "../parts.ts";
import { fileLane } from "../sync/file-operations.ts";
import { nasObject } from "../sync/nas-object.ts";
import { checksumOf, type Reading } from "../sync/same-bytes.ts";
import type { DriftKind, NewFinding } from "./findings.ts";

const AT_ONCE = 100;

/** The next files after this one, over all tenants. */
export async function nextFiles(store: Store, after: string): Promise<File[]> {
  return store.query<File>(
    `select ${FILE_COLUMNS} from files where id > $1 and state <> 'DELETED' order by id limit ${AT_ONCE}`,
    [after],
  );
}

/**
 * Compares one file with its bytes on the NAS and in the cache; undefined: it was left out. A file that has something before
 * it is held or on its way, and one that changed while we looked is looked at next time.
 */
export async function checkFile(
  parts: VaultParts,
  file: File,
  options: { checksum: boolean },
  reading: Reading,
): Promise<NewFinding[] | undefined> {
  const { store } = parts.andon;
  if (await isOnItsWay(store, file)) return undefined;
  const path = await presentPath(store, file);
  if (path === null) return undefined;
  const found = [
    ...(await checkNas(parts, file, path, options, reading)),
    ...(await checkCache(parts, file, options, reading)),
  ];
  return found.length > 0 && (await isOnItsWay(store, file)) ? undefined : found;
}

async function isOnItsWay(store: Store, { id, updatedAt }: File): Promise<boolean> {
  if ((await fileLane(store, id)).depth > 0) return true;
  const [now] = await store.query<{ updatedAt: number }>(
    `select updated_at as "updatedAt" from files where id = $1`,
    [id],
  );
  return now?.updatedAt !== updatedAt;
}

async function checkNas(
  parts: VaultParts,
  file: File,
  path: string,
  { checksum }: { checksum: boolean },
  reading: Reading,
): Promise<NewFinding[]> {
  const { nas } = parts;
  const { size, sha256 } = file;
  const entry = await nas.stat(path);
  if (entry?.kind !== "file") {
    const { path: known } = await nasObject(parts.andon.store, file.id);
    return [finding("MISSING_ON_NAS", file, path, { size, sha256 }, { knownAt: known })];
  }
  if (entry.size !== size) return [finding("SIZE_DIFFERS", file, path, { size }, { size: entry.size })];
  if (!checksum) return [];
  const actual = await checksumOf(nas, path, reading);
  return actual === sha256 ? [] : [finding("CHECKSUM_DIFFERS", file, path, { sha256 }, { sha256: actual })];
}

/** A copy in the cache that is not right is as good as none: it is never served as it is. */
async function checkCache(
  { andon, cache }: VaultParts,
  file: File,
  { checksum }: { checksum: boolean },
  reading: Reading,
): Promise<NewFinding[]> {
  const { size, sha256 } = file;
  const { cachePath: path } = await nasObject(andon.store, file.id);
  const entry = path === null ? undefined : await cache.stat(path);
  if (path === null || !entry || entry.size !== size) {
    const found = entry ? { size: entry.size } : null;
    return [finding("MISSING_IN_CACHE", file, path ?? "", { size, sha256 }, found)];
  }
  if (!checksum) return [];
  const actual = await checksumOf(cache, path, reading);
  return actual === sha256 ? [] : [finding("MISSING_IN_CACHE", file, path, { sha256 }, { sha256: actual })];
}

function finding(kind: DriftKind, file: File, path: string, expected: unknown, found: unknown): NewFinding {
  return { kind, path, fileId: file.id, expected, found };
}
