import type { Tx } from "@andon/engine";
import { type FaultCode, isStorageError, type Storage } from "@andon/storage";
import { change } from "../change.ts";
import { VaultError } from "../contract/errors.ts";
import { keysBelow } from "../names/path-key.ts";
import { releaseName } from "../names/taken-names.ts";
import { nasPath, trashPath } from "../nas/nas-path.ts";
import type { Owner } from "../owner.ts";
import { pathLane } from "../sync/sync-job.ts";
import { putInTrash } from "../trash/trash-row.ts";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import { type Folder, mustBeOpenTo, mustNotBeRoot } from "./folder-row.ts";
import { lockFolders } from "./locks.ts";
import { beginNasRequest, callNas, endNasRequest, nasFailed, type Settlement } from "./nas-request.ts";
import { pathOf } from "./paths.ts";

interface TrashedFolder {
  readonly id: string;
  readonly name: string;
  readonly state: "TRASHED";
  readonly deletedAt: number;
  readonly expiresAt: number;
}

/** Moves an empty folder to the trash, here and on the NAS, or changes nothing. */
export async function trashFolder(vault: VaultContext, owner: Owner, id: string): Promise<TrashedFolder> {
  mustNotBeRoot(id);
  const { tenantId, organizationId } = owner;
  const { andon, nas } = vault;
  const { folder, path, settlement } = await change(vault, async (tx) => {
    const found = (await lockFolders(tx, tenantId, [id])).get(id);
    if (!found) throw new VaultError("FOLDER_NOT_FOUND");
    mustBeOpenTo(found, organizationId);
    if (found.state !== "ACTIVE") throw new VaultError("FOLDER_ALREADY_TRASHED", { folderId: id });
    await mustBeEmpty(tx, found);
    const where = await pathOf(tx, tenantId, id);
    await mustBeSettledBelow(vault, tx, found, where);
    return { folder: found, path: where, settlement: await beginNasRequest(vault, tx, found) };
  });
  try {
    await callNas(folder, () => moveToTrash(nas, nasPath(tenantId, path), trashPath(tenantId, id)));
  } catch (error) {
    await change(vault, (tx) =>
      endNasRequest(tx, settlement, { state: "ACTIVE", now: andon.store.clock.now(), deletedAt: null }),
    );
    throw error;
  }
  const trashed = await change(vault, (tx) => endTrashing(vault, tx, folder, settlement));
  if (!trashed) throw nasFailed(folder, { problem: "TIMED_OUT" });
  return trashed;
}

/** The last step: frees the name. Undefined if the folder was settled meanwhile. */
export async function endTrashing(
  { andon, settings }: VaultContext,
  tx: Tx,
  { id, tenantId, organizationId, name, parentId }: Folder,
  settlement: Settlement,
): Promise<TrashedFolder | undefined> {
  const now = andon.store.clock.now();
  if (!(await endNasRequest(tx, settlement, { state: "TRASHED", now, deletedAt: now }))) return undefined;
  const expiresAt = now + settings.trashKeep;
  await putInTrash(tx, {
    itemId: id,
    tenantId,
    organizationId,
    kind: "folder",
    name,
    originalPath: await pathOf(tx, tenantId, id),
    originalParentId: parentId,
    size: null,
    deletedAt: now,
    expiresAt,
  });
  await releaseName(tx, id);
  return { id, name, state: "TRASHED", deletedAt: now, expiresAt };
}

async function mustBeEmpty(tx: Tx, { id, tenantId, name }: Folder): Promise<void> {
  const [found] = await tx.query<{ files: number; folders: number }>(
    `select
  (select count(*) from files where tenant_id = $1 and folder_id = $2 and state = 'ACTIVE') as files,
  (select count(*) from folders where tenant_id = $1 and parent_id = $2 and state in ('ACTIVE', 'TRASHING')) as folders`,
    [tenantId, id],
  );
  const { files: fileCount = 0, folders: subFolderCount = 0 } = found ?? {};
  if (fileCount === 0 && subFolderCount === 0) return;
  throw new VaultError("FOLDER_NOT_EMPTY", { folderId: id, folderName: name, fileCount, subFolderCount });
}

/**
 * Files that are no longer in the folder here can still be in it on the NAS: their operations name paths below the
 * folder.
 */
async function mustBeSettledBelow(
  { andon, settings }: VaultContext,
  tx: Tx,
  { id, tenantId, name }: Folder,
  path: string,
): Promise<void> {
  const { from, to } = keysBelow(nasPath(tenantId, path), settings);
  const lanes = { tenant: tenantId, from: pathLane(from), to: pathLane(to) };
  const count = await andon.reading.countInLanes(SYNC_QUEUE, lanes, { tx });
  if (count > 0) throw new VaultError("FOLDER_SYNC_PENDING", { folderId: id, folderName: name, count });
}

/** Errors of the NAS if it does not have the folder, cannot have it, or has files in it. */
const NOTHING_TO_MOVE: readonly FaultCode[] = [
  "SOURCE_MISSING",
  "NAME_TOO_LONG",
  "NOT_A_FOLDER",
  "FOLDER_NOT_EMPTY",
];

/**
 * A folder that is empty in the database is usually not on the NAS, and cannot be if its path is too long or leads
 * through a file. A folder on the NAS may contain files that the vault does not know: they stay where they are. In
 * every case the folder is in the trash afterwards, which is what `settleFolder` checks. If the trash cannot be
 * reached, creating the folder there fails too.
 */
async function moveToTrash(nas: Storage, from: string, to: string): Promise<void> {
  try {
    await nas.moveFolder(from, to);
  } catch (error) {
    if (!isStorageError(error) || !NOTHING_TO_MOVE.includes(error.code)) throw error;
    await nas.makeFolder(to);
  }
}
