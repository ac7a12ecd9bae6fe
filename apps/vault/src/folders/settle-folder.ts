import { change } from "../change.ts";
import { trashPath } from "../nas/nas-path.ts";
import type { VaultParts } from "../parts.ts";
import { findInTrash } from "../trash/trash-row.ts";
import { endAsking, type Settlement } from "./asking-the-nas.ts";
import { findFolder } from "./folder-row.ts";
import { endRestoring, undoRestoring } from "./restore-folder.ts";
import { endTrashing } from "./trash-folder.ts";

/**
 * Settles a folder that is still TRASHING long after it should not be: the process that asked the NAS died. What the NAS
 * shows decides. A folder that the trash knows already was on its way back.
 */
export async function settleFolder(parts: VaultParts, settlement: Settlement): Promise<void> {
  const { andon, nas } = parts;
  const { tenantId, folderId, stamp } = settlement;
  const folder = await findFolder(andon.store, tenantId, folderId);
  if (folder?.state !== "TRASHING" || folder.updatedAt !== stamp) return;
  const isInTrash = (await nas.stat(trashPath(tenantId, folderId))) !== undefined;
  await change(parts, async (tx) => {
    const isRestoring = (await findInTrash(tx, tenantId, folderId)) !== undefined;
    if (isRestoring && isInTrash) await undoRestoring(parts, tx, settlement);
    else if (isRestoring) await endRestoring(parts, tx, settlement);
    else if (isInTrash) await endTrashing(parts, tx, folder, settlement);
    else {
      await endAsking(tx, settlement, { state: "ACTIVE", now: andon.store.clock.now(), deletedAt: null });
    }
  });
}
