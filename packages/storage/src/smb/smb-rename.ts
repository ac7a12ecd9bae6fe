import { KeyedMutex } from "../keyed-mutex.ts";
import { foldedPath } from "./folded-path.ts";
import type { Share } from "./share.ts";
import { hasStatus } from "./smb-error.ts";

const renaming = new KeyedMutex();

/**
 * Renames a file or folder; answers false if the new name is taken. A server refuses a rename whose target exists.
 * Samba looks up the name before it renames, so renames of this process to one name run one after another.
 */
export async function renameWithoutOverwriting(
  share: Share,
  from: readonly string[],
  to: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const command = `rename ${share.quoted(from)} ${share.quoted(to)}`;
  return await renaming.run(`${share.place} ${foldedPath(to)}`, async () => {
    try {
      signal?.throwIfAborted();
      await share.run(command, signal);
      return true;
    } catch (error) {
      if (hasStatus(error, "OBJECT_NAME_COLLISION")) return false;
      throw error;
    }
  });
}
