import { link, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { KeyedMutex } from "../keyed-mutex.ts";
import { errnoOf, ignoring, lstatIfAny } from "./folder-calls.ts";

/**
 * Errors of a hard link that cannot be made: the file system has no hard links (exFAT, some SMB and FUSE mounts), or
 * the system forbids links to files of other owners.
 */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

const renaming = new KeyedMutex();

/**
 * Renames a file and never overwrites: answers false if the new name is taken.
 *
 * `rename` overwrites, and Node has no `renameat2`. So a hard link creates the new name (it fails if the name is
 * taken), and then the old name is removed. A crash in between leaves one file with two names; the next run sees that
 * and finishes.
 *
 * Without hard links, the new name is looked up and the file then renamed, one at a time in this process. Creating an
 * empty file exclusively, instead of the lookup, would keep other programs out too, but a crash would leave an empty
 * file under a real name.
 */
export async function renameWithoutOverwriting(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") return await finishIfSame(from, to);
    if (!NO_LINKS.has(code)) throw error;
    return await renaming.run(to, async () => {
      if (await lstatIfAny(to)) return await finishIfSame(from, to);
      await rename(from, to);
      return true;
    });
  }
  await ignoring("ENOENT", unlink(from));
  return true;
}

/** Whether a hard link to a file can be made. The link is removed again. */
export async function canLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    await unlink(to);
    return true;
  } catch (error) {
    if (NO_LINKS.has(errnoOf(error))) return false;
    throw error;
  }
}

/**
 * Both names can be one file, after a crash between link and unlink. If they differ only in case on a case-insensitive
 * file system, they are even one directory entry, and removing the old name would remove the file.
 */
async function finishIfSame(from: string, to: string): Promise<boolean> {
  const [source, target] = [await lstatIfAny(from), await lstatIfAny(to)];
  if (!source || !target || source.ino === 0n) return false;
  if (source.dev !== target.dev || source.ino !== target.ino) return false;
  if (await isOneEntry(from, to)) await rename(from, to);
  else if (source.nlink > 1n) await ignoring("ENOENT", unlink(from));
  else return false;
  return true;
}

async function isOneEntry(from: string, to: string): Promise<boolean> {
  if (dirname(from) !== dirname(to) || folded(from) !== folded(to)) return false;
  const names = await readdir(dirname(from));
  return !(names.includes(basename(from)) && names.includes(basename(to)));
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
