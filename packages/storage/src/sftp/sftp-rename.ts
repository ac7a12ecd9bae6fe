import { KeyedMutex } from "../keyed-mutex.ts";
import type { SftpRoot } from "./sftp-root.ts";
import { makeFolders } from "./sftp-root.ts";
import type { SftpSession } from "./sftp-session.ts";
import { mayExist, STATUS, statusOf } from "./sftp-status.ts";

/**
 * Finds out whether a server refuses to rename over a file. The protocol requires that, but some servers overwrite.
 * OpenSSH makes a hard link and removes the old name, so no other program can take the name in between. On a file
 * system without hard links it only looks up the name before it renames, and then counts as a server that does not
 * refuse.
 */
export async function refusesToOverwrite(root: SftpRoot, session: SftpSession): Promise<boolean> {
  return await root.probeWrite(session, (file) =>
    root.probeWrite(session, async (other) => {
      const linked = `${other.slice(0, -".part".length)}-2.part`;
      try {
        await session.rename(file, other);
        return false;
      } catch (error) {
        if (!mayExist(error)) throw error;
      }
      try {
        await session.link(file, linked);
        return true;
      } catch (error) {
        if (statusOf(error) === undefined) throw error;
        return false;
      } finally {
        await session.remove(linked).catch(() => {});
      }
    }),
  );
}

const renaming = new KeyedMutex();

/**
 * Renames a file and never overwrites: answers false if the new name is taken. The rename is a single request, so a
 * lost connection cannot leave the file with two names.
 */
export async function renameWithoutOverwriting(
  session: SftpSession,
  from: string,
  to: string,
  options: { place: string; refuses: boolean },
): Promise<boolean> {
  if (!options.refuses) {
    return await renaming.run(`${options.place} ${to}`, async () => {
      if (await session.lstatIfAny(to)) return false;
      await session.rename(from, to);
      return true;
    });
  }
  try {
    await session.rename(from, to);
    return true;
  } catch (error) {
    if (mayExist(error) && (await session.lstatIfAny(to))) return false;
    throw error;
  }
}

const MOST_ATTEMPTS = 16;

/**
 * Runs a task in a folder and creates the folder if it is missing. Repeats both when the folder disappears in between:
 * emptied folders are pruned, and the new folder may be empty for a moment.
 */
export async function inMadeFolder<T>(
  session: SftpSession,
  folder: string,
  task: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    try {
      // The folder usually exists; not creating it first saves a request.
      if (attempt > 1) await makeFolders(session, folder);
      return await task();
    } catch (error) {
      if (statusOf(error) !== STATUS.NO_SUCH_FILE) throw error;
      // Not on the first attempt, which creates no folder: another process may have created it since the task failed.
      if (attempt > 1 && (await session.lstatIfAny(folder))) throw error;
    }
  }
  throw Object.assign(new Error("the folder is removed again and again"), { code: "EBUSY" });
}
