import type { Tx } from "@andon/engine";
import type { Decider } from "../caller.ts";
import { change } from "../change.ts";
import { VaultError } from "../contract/errors.ts";
import { mustBeTrashed } from "../files/file-row.ts";
import { changeName, releaseName } from "../names/taken-names.ts";
import type { Owner } from "../owner.ts";
import { recordDecision } from "../record-decision.ts";
import { removeTrashedFolder } from "../trash/remove-trashed-folder.ts";
import { findInTrash, takeFromTrash } from "../trash/trash-row.ts";
import type { VaultContext } from "../vault-context.ts";
import { type Folder, findFolder, mustNotBeRoot, mustTakeChildren } from "./folder-row.ts";
import { lockFolders } from "./locks.ts";
import { beginNasRequest, callNas, endNasRequest, nasFailed, type Settlement } from "./nas-request.ts";
import { mustFitPath } from "./path-limits.ts";
import { below, pathOf } from "./paths.ts";
import type { ShownFolder } from "./show-folder.ts";

/** Restores a folder from the trash, here and on the NAS, or changes nothing. Its name is reserved for it meanwhile. */
export async function restoreFolder(vault: VaultContext, decider: Decider, id: string): Promise<ShownFolder> {
  mustNotBeRoot(id);
  const { tenantId } = decider;
  const { nas } = vault;
  const { folder, settlement } = await change(vault, (tx) => beginRestoring(vault, tx, decider, id));
  try {
    // On the NAS, the folder is created again with its first file; files of other programs in it stay in the trash.
    await callNas(folder, () => removeTrashedFolder(nas, tenantId, id));
  } catch (error) {
    await change(vault, (tx) => undoRestoring(vault, tx, settlement));
    throw error;
  }
  const path = await change(vault, async (tx) => {
    const restored = await endRestoring(vault, tx, settlement);
    if (restored === undefined) return undefined;
    await recordDecision(tx, decider, {
      action: "folder.restore",
      of: folder,
      target: `folder:${id}`,
      before: { name: folder.name, state: "TRASHED" },
      after: { state: "ACTIVE", path: restored },
    });
    return restored;
  });
  if (path === undefined) throw nasFailed(folder, { problem: "TIMED_OUT" });
  const { name, parentId } = folder;
  return { id, name, parentId, path, state: "ACTIVE" };
}

async function beginRestoring(
  vault: VaultContext,
  tx: Tx,
  owner: Owner,
  id: string,
): Promise<{ folder: Folder; settlement: Settlement }> {
  const { tenantId } = owner;
  const known = await findFolder(tx, owner, id);
  if (!known) throw new VaultError("FOLDER_NOT_FOUND");
  // The parent of a folder in the trash does not change.
  const locked = await lockFolders(tx, tenantId, [id, known.parentId]);
  const folder = locked.get(id);
  if (!folder) throw new VaultError("FOLDER_NOT_FOUND");
  mustBeTrashed(folder.state);
  const { name, parentId } = folder;
  mustTakeChildren(locked.get(parentId));
  mustFitPath(below(await pathOf(tx, tenantId, parentId), name), "folder");
  await changeName(tx, vault.settings, { tenantId, parentId, name, kind: "folder", ownerId: id });
  return { folder, settlement: await beginNasRequest(vault, tx, folder) };
}

/** Returns the path of the restored folder; undefined if it was settled meanwhile. */
export async function endRestoring(
  { andon }: VaultContext,
  tx: Tx,
  settlement: Settlement,
): Promise<string | undefined> {
  const { tenantId, folderId } = settlement;
  const end = { state: "ACTIVE" as const, now: andon.store.clock.now(), deletedAt: null };
  if (!(await endNasRequest(tx, settlement, end))) return undefined;
  await takeFromTrash(tx, tenantId, folderId);
  return pathOf(tx, tenantId, folderId);
}

export async function undoRestoring({ andon }: VaultContext, tx: Tx, settlement: Settlement): Promise<void> {
  const { tenantId, folderId } = settlement;
  const deletedAt = (await findInTrash(tx, tenantId, folderId))?.deletedAt ?? null;
  const end = { state: "TRASHED" as const, now: andon.store.clock.now(), deletedAt };
  if (await endNasRequest(tx, settlement, end)) await releaseName(tx, folderId);
}
