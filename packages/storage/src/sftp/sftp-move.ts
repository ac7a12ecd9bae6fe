import { joinPath, namesOf } from "../names.ts";
import { otherSize } from "../reasons.ts";
import type { Expected } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { mustBeSame, parentOf } from "./sftp-put.ts";
import { inMadeFolder, renameWithoutOverwriting } from "./sftp-rename.ts";
import { makeFolders, type SftpRoot } from "./sftp-root.ts";
import type { SftpSession } from "./sftp-session.ts";
import { mayExist, STATUS, statusOf } from "./sftp-status.ts";

export async function moveOverSftp(
  root: SftpRoot,
  session: SftpSession,
  [from, to]: readonly [string, string],
  expected: Expected,
  options: { refuses: () => Promise<boolean>; signal: AbortSignal | undefined },
): Promise<void> {
  const target = await root.resolveForWriting(session, to);
  const source = await root.resolveForRemoving(session, from);
  const info = await session.lstatIfAny(source);
  if (!info) {
    if (!(await session.lstatIfAny(target))) throw missing(root, from);
    return await mustBeSame(root, session, to, target, expected, options.signal);
  }
  if (!info.isFile()) throw new StorageError("NOT_A_FILE", { place: root.place, path: from });
  if (info.size !== expected.size) {
    const reason = otherSize(info.size, expected.size);
    throw new StorageError("SOURCE_CHANGED", { place: root.place, path: from, reason });
  }
  if (source === target) return;
  const naming = { place: root.place, refuses: await options.refuses() };
  const isMoved = await inMadeFolder(session, parentOf(target), async () => {
    options.signal?.throwIfAborted();
    return await renameWithoutOverwriting(session, source, target, naming);
  });
  if (!isMoved) throw new StorageError("TARGET_EXISTS", { place: root.place, path: to });
}

export async function makeFolderOverSftp(root: SftpRoot, session: SftpSession, path: string): Promise<void> {
  const folder = await root.resolveForWriting(session, path);
  const info = await session.lstatIfAny(folder);
  if (info && !info.isDirectory()) throw new StorageError("NOT_A_FOLDER", { place: root.place, path });
  if (!info) await makeFolders(session, folder);
}

/**
 * A rename in SFTP never replaces a folder, so an empty folder at the target is removed first; one that is not empty
 * stays.
 */
export async function moveEmptyFolder(
  root: SftpRoot,
  session: SftpSession,
  from: string,
  to: string,
): Promise<void> {
  const target = await root.resolveForWriting(session, to);
  const source = await root.resolveForRemoving(session, from);
  const [found, there] = [await session.lstatIfAny(source), await session.lstatIfAny(target)];
  if (!found?.isDirectory()) {
    if (there?.isDirectory()) return;
    throw missing(root, from);
  }
  if (!(await isEmpty(session, source))) {
    throw new StorageError("FOLDER_NOT_EMPTY", { place: root.place, path: from });
  }
  if (source === target) return;
  const taken = (cause?: unknown) =>
    new StorageError("TARGET_EXISTS", { place: root.place, path: to }, { cause });
  if (there && !there.isDirectory()) throw taken();
  if (there && (await removeIfEmpty(session, target)) === "not-empty") throw taken();
  try {
    await inMadeFolder(session, parentOf(target), () => session.rename(source, target));
  } catch (error) {
    if (!mayExist(error) || !(await session.lstatIfAny(target))) throw error;
    throw taken(error);
  }
}

export async function removeEmptyFolder(
  root: SftpRoot,
  session: SftpSession,
  path: string,
  upwards: boolean,
): Promise<boolean> {
  if (path === "") return false;
  const folder = await root.resolveForRemoving(session, path);
  if ((await removeIfEmpty(session, folder)) === "not-empty") return false;
  if (upwards) await removeEmptyFolder(root, session, joinPath(...namesOf(path).slice(0, -1)), true);
  return true;
}

const MOST_ATTEMPTS = 4;

/**
 * OpenSSH does not say why it refuses to remove a folder, so its entries are listed: a folder that is not empty is no
 * error.
 */
async function removeIfEmpty(session: SftpSession, folder: string): Promise<"gone" | "not-empty"> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.removeFolder(folder);
      return "gone";
    } catch (error) {
      if (statusOf(error) === STATUS.NO_SUCH_FILE) return "gone";
      if (statusOf(error) !== STATUS.FAILURE) throw error;
      if (!(await isEmpty(session, folder))) return "not-empty";
      // Its entries may have been removed between the two requests.
      if (attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function isEmpty(session: SftpSession, folder: string): Promise<boolean> {
  const handle = await session.openFolder(folder).catch((error) => {
    if (statusOf(error) === STATUS.NO_SUCH_FILE) return undefined;
    throw error;
  });
  if (!handle) return true;
  try {
    for (;;) {
      const page = await session.readFolder(handle);
      if (!page) return true;
      if (page.some(({ filename }) => filename !== "." && filename !== "..")) return false;
    }
  } finally {
    await session.close(handle).catch(() => {});
  }
}

function missing(root: SftpRoot, path: string): StorageError {
  return new StorageError("SOURCE_MISSING", { place: root.place, path });
}
