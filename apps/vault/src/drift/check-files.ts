import type { Andon, Store } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { expectedPath } from "../nas/expected-path.ts";
import { laneOfFile } from "../sync/file-operations.ts";
import { checksumOf, type ReadOptions } from "../sync/inspect-nas-path.ts";
import { nasObject } from "../sync/storage-object.ts";
import type { VaultContext } from "../vault-context.ts";
import type { DriftKind, NewFinding } from "./findings.ts";

const AT_ONCE = 100;

/** The next files after this id, of all tenants. */
export async function nextFiles(store: Store, after: string): Promise<File[]> {
  return store.query<File>(
    `select ${FILE_COLUMNS} from files where id > $1 and state <> 'DELETED' order by id limit ${AT_ONCE}`,
    [after],
  );
}

/**
 * Compares one file with its bytes on the NAS and in the cache. Undefined if the file is left out: it has an unfinished
 * or held operation, or it changed during the check.
 */
export async function checkFile(
  vault: VaultContext,
  file: File,
  options: { checksum: boolean },
  readOptions: ReadOptions,
): Promise<NewFinding[] | undefined> {
  const { store } = vault.andon;
  if (await isOnItsWay(vault.andon, file)) return undefined;
  const path = await expectedPath(store, file);
  if (path === null) return undefined;
  const found = [
    ...(await checkNas(vault, file, path, options, readOptions)),
    ...(await checkCache(vault, file, options, readOptions)),
  ];
  return found.length > 0 && (await isOnItsWay(vault.andon, file)) ? undefined : found;
}

async function isOnItsWay(andon: Andon, file: File): Promise<boolean> {
  const { id, updatedAt } = file;
  if (((await laneOfFile(andon, file))?.depth ?? 0) > 0) return true;
  const [now] = await andon.store.query<{ updatedAt: number }>(
    `select updated_at as "updatedAt" from files where id = $1`,
    [id],
  );
  return now?.updatedAt !== updatedAt;
}

async function checkNas(
  vault: VaultContext,
  file: File,
  path: string,
  { checksum }: { checksum: boolean },
  readOptions: ReadOptions,
): Promise<NewFinding[]> {
  const { nas } = vault;
  const { size, sha256 } = file;
  const entry = await nas.stat(path);
  if (entry?.kind !== "file") {
    const { path: known } = await nasObject(vault.andon.store, file.id);
    return [finding("MISSING_ON_NAS", file, path, { size, sha256 }, { knownAt: known })];
  }
  if (entry.size !== size) return [finding("SIZE_DIFFERS", file, path, { size }, { size: entry.size })];
  if (!checksum) return [];
  const actual = await checksumOf(nas, path, readOptions);
  return actual === sha256 ? [] : [finding("CHECKSUM_DIFFERS", file, path, { sha256 }, { sha256: actual })];
}

/** A wrong copy in the cache is reported as missing, because the repair is the same. */
async function checkCache(
  { andon, cache }: VaultContext,
  file: File,
  { checksum }: { checksum: boolean },
  readOptions: ReadOptions,
): Promise<NewFinding[]> {
  const { size, sha256 } = file;
  const { cachePath: path } = await nasObject(andon.store, file.id);
  const entry = path === null ? undefined : await cache.stat(path);
  if (path === null || !entry || entry.size !== size) {
    const found = entry ? { size: entry.size } : null;
    return [finding("MISSING_IN_CACHE", file, path ?? "", { size, sha256 }, found)];
  }
  if (!checksum) return [];
  const actual = await checksumOf(cache, path, readOptions);
  return actual === sha256 ? [] : [finding("MISSING_IN_CACHE", file, path, { sha256 }, { sha256: actual })];
}

function finding(kind: DriftKind, file: File, path: string, expected: unknown, found: unknown): NewFinding {
  return { kind, path, fileId: file.id, expected, found };
}
