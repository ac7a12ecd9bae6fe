import type { Tx } from "@andon/engine";
import { isStorageError, type Storage } from "@andon/storage";
import { nasPath, trashPath } from "../nas/nas-path.ts";
import { inList } from "../sql-lists.ts";
import { hasBytes } from "./inspect-nas-path.ts";
import { isAnothers } from "./locate-on-nas.ts";
import type { OperationRun } from "./operation-run.ts";

type Step = Pick<OperationRun, "vault" | "job" | "readOptions">;

/**
 * Clears a path of the NAS whose file somebody changed, for the bytes that replace it or because the file is deleted.
 * What is there moves to the trash under the operation's own id, where a person finds it until it expires. The row is
 * written before the move: a crash in between leaves nothing on the NAS that the database does not know. Returns the
 * new path, or undefined if the path was free.
 *
 * An operation can quarantine again, even much later. Each time has its own row and path, which contain the time, so an
 * expiry never deletes what was quarantined later.
 */
export async function quarantine(
  { vault, job, readOptions: { signal } }: Step,
  path: string,
): Promise<string | undefined> {
  const entry = await vault.nas.stat(path);
  if (entry?.kind !== "file") return undefined;
  const { tenantId, fileName } = job.payload;
  const { store } = vault.andon;
  const expiresAt = store.clock.now() + vault.settings.trashKeep;
  const folder = `${job.id}-${expiresAt}`;
  const quarantined = trashPath(tenantId, folder, fileName);
  await store.transaction("quarantine", async (tx) => {
    await tx.query(
      `insert into vault_quarantined (job_id, tenant_id, path, expires_at) values ($1, $2, $3, $4)
on conflict (job_id) do nothing`,
      [folder, tenantId, quarantined, expiresAt],
    );
  });
  await vault.nas.move(path, quarantined, { size: entry.size }, signal);
  return quarantined;
}

/** Which of these paths of the NAS hold quarantined bytes. */
export async function quarantinedPaths(
  rows: Pick<Tx, "query">,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  // The folder of such a path is named after its operation and time, which is the key of the table.
  const folders = new Set(paths.map((path) => path.split("/").at(-2)).filter((name) => name !== undefined));
  if (folders.size === 0) return new Set();
  const { list, params } = inList([...folders], 0);
  const found = await rows.query<{ path: string }>(
    `select path from vault_quarantined where job_id in (${list})`,
    params,
  );
  return new Set(found.map(({ path }) => path));
}

/**
 * Finishes a move that a person has half done: exactly these bytes are at the target and still at the source, and
 * neither path belongs to another file. The source is removed; returns whether it was.
 *
 * Two paths can be one file (a folder that is mounted twice), and removing one would remove both. So the source is
 * quarantined first, and deleted only if the target still exists without it. After a crash in between, the bytes are at
 * the target or are read from the cache, and the quarantined ones expire.
 */
export async function finishMoveByHand(step: Step, from: string, target: string): Promise<boolean> {
  const { vault, job, readOptions } = step;
  const { nas } = vault;
  const { tenantId, size } = job.payload;
  for (const path of [from, target]) {
    if (await isAnothers(vault.andon, path, job.payload.fileId)) return false;
    if (!(await hasBytes(nas, path, job.payload, readOptions))) return false;
  }
  readOptions.signal?.throwIfAborted();
  const quarantined = await quarantine(step, from);
  if (quarantined === undefined) return true;
  if (await nas.stat(target)) await nas.remove(quarantined, readOptions.signal);
  else await nas.move(quarantined, target, { size }, readOptions.signal);
  await pruneFolders(nas, tenantId, quarantined);
  return true;
}

/**
 * Removes the folders of a path that are empty, up to the tenant's root. A file that arrives at the same moment creates its
 * folder again. A folder that cannot be removed is no reason to fail: the file itself is where it should be.
 */
export async function pruneFolders(nas: Storage, tenantId: string, path: string): Promise<void> {
  const root = nasPath(tenantId, "/");
  for (let folder = parentOf(path); folder !== root && folder !== ""; folder = parentOf(folder)) {
    if (!(await isRemoved(nas, folder))) return;
  }
}

async function isRemoved(nas: Storage, folder: string): Promise<boolean> {
  try {
    return await nas.removeFolderIfEmpty(folder);
  } catch (error) {
    if (isStorageError(error) && error.fault === "file") return false;
    throw error;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
