import type { Storage } from "@andon/storage";
import { trashPath } from "../nas/nas-path.ts";
import { pruneFolders } from "../sync/clear-nas-path.ts";

/**
 * Removes a folder from the trash on the NAS, and the trash itself after its last folder. Files of other programs in it
 * stay.
 */
export async function removeTrashedFolder(nas: Storage, tenantId: string, folderId: string): Promise<void> {
  const path = trashPath(tenantId, folderId);
  if (await nas.removeFolderIfEmpty(path)) await pruneFolders(nas, tenantId, path);
}
