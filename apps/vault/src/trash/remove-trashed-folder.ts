import type { Storage } from "@andon/storage";
import { trashPath } from "../nas/nas-path.ts";
import { pruneFolders } from "../sync/clear-nas-path.ts";

/** Takes a folder's place in the trash from the NAS, and the trash with its last one. What is not ours in it stays there. */
export async function removeTrashedFolder(nas: Storage, tenantId: string, folderId: string): Promise<void> {
  const path = trashPath(tenantId, folderId);
  if (await nas.removeFolderIfEmpty(path)) await pruneFolders(nas, tenantId, path);
}
