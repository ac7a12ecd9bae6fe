import { link, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { OneAtATime } from "../one-at-a-time.ts";
import { errnoOf, ignoring, lstatIfAny } from "./folder-calls.ts";

/**
 * A hard link could not be made: the file system has none (exFAT, some SMB and FUSE mounts), or the system forbids links to
 * files of other owners.
 */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

const lookedUp = new OneAtATime();

/**
 * Gives a file another name and never overwrites: answers false where something else has that name.
 *
 * `rename` overwrites, and Node has no `renameat2`, so a hard link makes the new name (it fails where the name is taken) and
 * the old name goes afterwards. A crash in between leaves one file with two names, which the next run sees and finishes.
 *
 * Without hard links we look and then rename, one at a time in this process. An exclusively created empty file in place of
 * the look would keep out strangers too, but a crash would leave it there, an empty file under a real name.
 */
export async function nameWithoutOverwriting(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") return await finishIfSame(from, to);
    if (!NO_LINKS.has(code)) throw error;
    return await lookedUp.run(to, async () => {
      if (await lstatIfAny(to)) return await finishIfSame(from, to);
      await rename(from, to);
      return true;
    });
  }
  await ignoring("ENOENT", unlink(from));
  return true;
}

/** Whether hard links can be made of a file. The second name is taken away again. */
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
 * Both names may be one file: after a crash between link and unlink. Where they differ only in case and the file system
 * does not care, they are even one entry, and taking the old name away would take the file away.
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
