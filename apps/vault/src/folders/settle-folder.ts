import { change } from "../change.ts";
import { trashPath } from "../nas/nas-path.ts";
import { findInTrash } from "../trash/trash-row.ts";
import type { VaultContext } from "../vault-context.ts";
import { findFolder } from "./folder-row.ts";
import { endNasRequest, type Settlement } from "./nas-request.ts";
import { endRestoring, undoRestoring } from "./restore-folder.ts";
import { endTrashing } from "./trash-folder.ts";

/**
 * Settles a folder that is still TRASHING after the time limit, because the process that called the NAS died. What is
 * on the NAS decides. A folder that has a row in the trash was being restored.
 */
export async function settleFolder(vault: VaultContext, settlement: Settlement): Promise<void> {
  const { andon, nas } = vault;
  const { tenantId, folderId, stamp } = settlement;
  const folder = await findFolder(andon.store, { tenantId, organizationId: null }, folderId);
  if (folder?.state !== "TRASHING" || folder.updatedAt !== stamp) return;
  const isInTrash = (await nas.stat(trashPath(tenantId, folderId))) !== undefined;
  await change(vault, async (tx) => {
    const isRestoring = (await findInTrash(tx, tenantId, folderId)) !== undefined;
    if (isRestoring && isInTrash) await undoRestoring(vault, tx, settlement);
    else if (isRestoring) await endRestoring(vault, tx, settlement);
    else if (isInTrash) await endTrashing(vault, tx, folder, settlement);
    else {
      await endNasRequest(tx, settlement, { state: "ACTIVE", now: andon.store.clock.now(), deletedAt: null });
    }
  });
}
