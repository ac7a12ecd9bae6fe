import { OneAtATime } from "../one-at-a-time.ts";
import type { SftpRoot } from "./sftp-root.ts";
import { makeFolders } from "./sftp-root.ts";
import type { SftpSession } from "./sftp-session.ts";
import { mayExist, STATUS, statusOf } from "./sftp-status.ts";

/**
 * Finds out whether a server refuses to rename over a file. The protocol says that it must, but some overwrite. OpenSSH makes a
 * hard link and takes the old name away, which nobody can come between; on a file system without hard links it only looks
 * before it renames, and then we count it as one that does not refuse.
 */
export async function refusesToOverwrite(root: SftpRoot, session: SftpSession): Promise<boolean> {
  return await root.tryOut(session, (file) =>
    root.tryOut(session, async (other) => {
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

const lookedUp = new OneAtATime();

/**
 * Gives a file another name and never overwrites: answers false where something else has that name. It is one request, so
 * that there is no time in which the file has two names.
 */
export async function nameWithoutOverwriting(
  session: SftpSession,
  from: string,
  to: string,
  options: { place: string; refuses: boolean },
): Promise<boolean> {
  if (!options.refuses) {
    return await lookedUp.run(`${options.place} ${to}`, async () => {
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

/** Runs what needs a folder, which is made if need be. Whoever prunes emptied folders may take it away before something is in it. */
export async function inMadeFolder<T>(
  session: SftpSession,
  folder: string,
  task: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    try {
      // Mostly it is there already, and a request less is needed.
      if (attempt > 1) await makeFolders(session, folder);
      return await task();
    } catch (error) {
      if (statusOf(error) !== STATUS.NO_SUCH_FILE) throw error;
      // In the first attempt another may have made the folder after we missed it.
      if (attempt > 1 && (await session.lstatIfAny(folder))) throw error;
    }
  }
  throw Object.assign(new Error("the folder is removed again and again"), { code: "EBUSY" });
}
