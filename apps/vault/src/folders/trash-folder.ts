import { AndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { type FaultCode, isStorageError, type Storage } from "@andon/storage";
import { change } from "../change.ts";
import { keysBelow } from "../names/path-key.ts";
import { releaseName } from "../names/taken-names.ts";
import { nasPath, trashPath } from "../nas/nas-path.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { pathLane } from "../sync/payload.ts";
import { putInTrash } from "../trash/trash-row.ts";
import { askNas, beginAsking, endAsking, nasFailed, type Settlement } from "./asking-the-nas.ts";
import { type Folder, mustNotBeRoot } from "./folder-row.ts";
import { lockFolders } from "./locks.ts";
import { pathOf } from "./paths.ts";

interface TrashedFolder {
  readonly id: string;
  readonly name: string;
  readonly state: "TRASHED";
  readonly deletedAt: number;
  readonly expiresAt: number;
}

/** Moves an empty folder to the trash, here and on the NAS, or changes nothing. */
export async function trashFolder(parts: VaultParts, tenantId: string, id: string): Promise<TrashedFolder> {
  mustNotBeRoot(id);
  const { andon, nas } = parts;
  const { folder, path, settlement } = await change(parts, async (tx) => {
    const found = (await lockFolders(tx, tenantId, [id])).get(id);
    if (!found) throw new AndonError("FOLDER_NOT_FOUND");
    if (found.state !== "ACTIVE") throw new AndonError("FOLDER_ALREADY_TRASHED", { folderId: id });
    await mustBeEmpty(tx, found);
    const where = await pathOf(tx, tenantId, id);
    await mustBeSettledBelow(parts, tx, found, where);
    return { folder: found, path: where, settlement: await beginAsking(parts, tx, found) };
  });
  try {
    await askNas(folder, () => moveToTrash(nas, nasPath(tenantId, path), trashPath(tenantId, id)));
  } catch (error) {
    await change(parts, (tx) =>
      endAsking(tx, settlement, { state: "ACTIVE", now: andon.store.clock.now(), deletedAt: null }),
    );
    throw error;
  }
  const trashed = await change(parts, (tx) => endTrashing(parts, tx, folder, settlement));
  if (!trashed) throw nasFailed(folder, { problem: "TIMED_OUT" });
  return trashed;
}

/** The last step: the name is free from here on. Undefined where the folder was settled meanwhile. */
export async function endTrashing(
  { andon, settings }: VaultParts,
  tx: Tx,
  { id, tenantId, name, parentId }: Folder,
  settlement: Settlement,
): Promise<TrashedFolder | undefined> {
  const now = andon.store.clock.now();
  if (!(await endAsking(tx, settlement, { state: "TRASHED", now, deletedAt: now }))) return undefined;
  const expiresAt = now + settings.trashKeep;
  await putInTrash(tx, {
    itemId: id,
    tenantId,
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
  throw new AndonError("FOLDER_NOT_EMPTY", { folderId: id, folderName: name, fileCount, subFolderCount });
}

/** The NAS may still have files there that have gone here: their operations name paths below the folder. */
async function mustBeSettledBelow(
  { settings }: VaultParts,
  tx: Tx,
  { id, tenantId, name }: Folder,
  path: string,
): Promise<void> {
  const { from, to } = keysBelow(nasPath(tenantId, path), settings);
  const [found] = await tx.query<{ count: number }>(
    `select count(distinct pos) as count from andon_lane_jobs
where queue = $1 and lane_key >= $2 and lane_key < $3`,
    [SYNC_QUEUE, pathLane(from), pathLane(to)],
  );
  const count = found?.count ?? 0;
  if (count > 0) throw new AndonError("FOLDER_SYNC_PENDING", { folderId: id, folderName: name, count });
}

/** What the NAS says where it has nothing of the folder, cannot have it, or has more than the folder. */
const NOTHING_TO_MOVE: readonly FaultCode[] = [
  "SOURCE_MISSING",
  "NAME_TOO_LONG",
  "NOT_A_FOLDER",
  "FOLDER_NOT_EMPTY",
];

/**
 * A folder that is empty here is mostly not on the NAS at all, and cannot be where its path is too long for it or leads through
 * a file. One that is there may have files in it that are not ours: these stay where they are. In every case the trash has the
 * folder afterwards, which is what settling looks for; where the trash is what cannot be reached, making its place fails too.
 */
async function moveToTrash(nas: Storage, from: string, to: string): Promise<void> {
  try {
    await nas.moveFolder(from, to);
  } catch (error) {
    if (!isStorageError(error) || !NOTHING_TO_MOVE.includes(error.code)) throw error;
    await nas.makeFolder(to);
  }
}
