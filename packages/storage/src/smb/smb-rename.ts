import { OneAtATime } from "../one-at-a-time.ts";
import { foldedPath } from "./folded-path.ts";
import type { Share } from "./share.ts";
import { hasStatus } from "./smb-error.ts";

const renaming = new OneAtATime();

/**
 * Gives a file or folder another name; false where something has that name. A server refuses a rename whose target exists. Samba
 * looks and then renames, so of two of our own renames to one name the second waits for the first.
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
