import type { Andon } from "@andon/engine";
import { inList } from "../sql-lists.ts";
import { hasOperationsLeft } from "./file-operations.ts";
import { hasBytes } from "./inspect-nas-path.ts";
import type { OperationRun } from "./operation-run.ts";
import type { NasObject } from "./storage-object.ts";

/**
 * Where a file's bytes are on the NAS, other than at the target; undefined: at no known path.
 *
 * The database is trusted while the status is AVAILABLE: the move or the removal detects a file that was changed on the
 * NAS, and a person decides. Otherwise an operation was interrupted and then settled by hand. It may have moved the
 * bytes without recording it, and another file may be at their old path. So both the recorded path and the operation's
 * source are compared byte by byte, and a path that belongs to another file by now is left alone.
 */
export async function locateOnNas(
  run: Pick<OperationRun, "vault" | "job" | "readOptions">,
  { path, status }: NasObject,
  target: string | null,
): Promise<string | undefined> {
  const { vault, job } = run;
  if (status === "AVAILABLE") {
    const isThere = path !== null && path !== target && (await vault.nas.stat(path)) !== undefined;
    return isThere ? path : undefined;
  }
  for (const known of new Set([path, job.payload.sourcePath])) {
    if (known === null || known === target) continue;
    if (await isAnothers(vault.andon, known, job.payload.fileId)) continue;
    if (await hasBytes(vault.nas, known, job.payload, run.readOptions)) return known;
  }
  return undefined;
}

/** The length of the part of a path that its index holds. */
const INDEXED = 200;

/** Which files the database knows at these paths of the NAS. A deleted file owns its path while an operation can still remove its bytes. */
export async function ownersOf(
  andon: Andon,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const owners = new Map<string, Set<string>>();
  if (paths.length === 0) return owners;
  const wanted = new Set(paths);
  const starts = new Set(paths.map((path) => [...path].slice(0, INDEXED).join("")));
  const { list, params } = inList([...starts], 0);
  const found = await andon.store.query<{ path: string; fileId: string; state: string | null }>(
    `select path, file_id as "fileId", (select f.state from files f where f.id = s.file_id) as state
from file_storage_objects s where substr(path, 1, ${INDEXED}) in (${list}) and storage_type = 'NAS'`,
    params,
  );
  for (const { path, fileId, state } of found) {
    if (!wanted.has(path)) continue;
    if (state === "DELETED" && !(await hasOperationsLeft(andon, fileId))) continue;
    owners.set(path, (owners.get(path) ?? new Set()).add(fileId));
  }
  return owners;
}

/**
 * Whether a path belongs to another file, even if it once was this file's: a name that becomes free can go to the next
 * file.
 */
export async function isAnothers(andon: Andon, path: string, fileId: string): Promise<boolean> {
  const owners = (await ownersOf(andon, [path])).get(path) ?? new Set();
  return [...owners].some((owner) => owner !== fileId);
}
