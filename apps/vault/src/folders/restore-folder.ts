import { AndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";
import type { Decider } from "../caller.ts";
import { change } from "../change.ts";
import { mustBeTrashed } from "../files/file-row.ts";
import { changeName, releaseName } from "../names/taken-names.ts";
import type { VaultParts } from "../parts.ts";
import { recordDecision } from "../record-decision.ts";
import { removeTrashedFolder } from "../trash/remove-trashed-folder.ts";
import { findInTrash, takeFromTrash } from "../trash/trash-row.ts";
import { askNas, beginAsking, endAsking, nasFailed, type Settlement } from "./asking-the-nas.ts";
import { type Folder, findFolder, mustNotBeRoot, mustTakeChildren } from "./folder-row.ts";
import { lockFolders } from "./locks.ts";
import { pathOf } from "./paths.ts";
import type { ShownFolder } from "./shown-folder.ts";

/** Brings a folder back from the trash, here and on the NAS, or changes nothing. Its name is kept for it meanwhile. */
export async function restoreFolder(parts: VaultParts, decider: Decider, id: string): Promise<ShownFolder> {
  mustNotBeRoot(id);
  const { tenantId } = decider;
  const { nas } = parts;
  const { folder, settlement } = await change(parts, (tx) => beginRestoring(parts, tx, tenantId, id));
  try {
    // It comes into being again with its first file; what is not ours in it stays in the trash.
    await askNas(folder, () => removeTrashedFolder(nas, tenantId, id));
  } catch (error) {
    await change(parts, (tx) => undoRestoring(parts, tx, settlement));
    throw error;
  }
  const path = await change(parts, async (tx) => {
    const restored = await endRestoring(parts, tx, settlement);
    if (restored === undefined) return undefined;
    await recordDecision(tx, decider, {
      action: "folder.restore",
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
  parts: VaultParts,
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ folder: Folder; settlement: Settlement }> {
  const known = await findFolder(tx, tenantId, id);
  if (!known) throw new AndonError("FOLDER_NOT_FOUND");
  // The parent of a folder in the trash does not change.
  const locked = await lockFolders(tx, tenantId, [id, known.parentId]);
  const folder = locked.get(id);
  if (!folder) throw new AndonError("FOLDER_NOT_FOUND");
  mustBeTrashed(folder.state);
  const { name, parentId } = folder;
  mustTakeChildren(locked.get(parentId));
  await changeName(tx, parts.settings, { tenantId, parentId, name, kind: "folder", ownerId: id });
  return { folder, settlement: await beginAsking(parts, tx, folder) };
}

/** The path it is back at; undefined where it was settled meanwhile. */
export async function endRestoring(
  { andon }: VaultParts,
  tx: Tx,
  settlement: Settlement,
): Promise<string | undefined> {
  const { tenantId, folderId } = settlement;
  const end = { state: "ACTIVE" as const, now: andon.store.clock.now(), deletedAt: null };
  if (!(await endAsking(tx, settlement, end))) return undefined;
  await takeFromTrash(tx, tenantId, folderId);
  return pathOf(tx, tenantId, folderId);
}

export async function undoRestoring({ andon }: VaultParts, tx: Tx, settlement: Settlement): Promise<void> {
  const { tenantId, folderId } = settlement;
  const deletedAt = (await findInTrash(tx, tenantId, folderId))?.deletedAt ?? null;
  const end = { state: "TRASHED" as const, now: andon.store.clock.now(), deletedAt };
  if (await endAsking(tx, settlement, end)) await releaseName(tx, folderId);
}
