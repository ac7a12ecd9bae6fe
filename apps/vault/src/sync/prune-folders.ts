import { isStorageError, type Storage } from "@andon/storage";
import { nasPath } from "../nas/nas-path.ts";

/**
 * Folders on the NAS go when their last file has gone, up to the tenant's root. A file that comes at the same moment
 * makes its folder again. A folder that cannot be removed is no reason to fail: the file itself is where it should be.
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
