import { otherSize } from "../reasons.ts";
import type { Expected } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { foldedPath } from "./folded-path.ts";
import { NOWHERE, type Share } from "./share.ts";
import { hasStatus } from "./smb-error.ts";
import { renameWithoutOverwriting } from "./smb-rename.ts";
import { mustBeSame } from "./smb-same.ts";

export async function moveOnShare(
  share: Share,
  from: string,
  to: string,
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const target = share.writableNamesOf(to);
  const source = share.removableNamesOf(from);
  await share.check(signal);
  const entry = await share.look(source);
  if (!entry) {
    if (!(await share.look(target))) throw missing(share, from);
    return await mustBeSame(share, to, target, expected, signal);
  }
  if (entry.kind !== "file") throw new StorageError("NOT_A_FILE", { place: share.place, path: from });
  if (entry.size !== expected.size) {
    const reason = otherSize(entry.size, expected.size);
    throw new StorageError("SOURCE_CHANGED", { place: share.place, path: from, reason });
  }
  if (from === to) return;
  signal?.throwIfAborted();
  const isMoved = await renameIntoMadeFolder(share, source, target, signal);
  if (!isMoved) throw new StorageError("TARGET_EXISTS", { place: share.place, path: to });
}

export async function removeFromShare(
  share: Share,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const names = share.removableNamesOf(path);
  await share.check(signal);
  const entry = await share.look(names);
  if (!entry) return;
  if (entry.kind === "folder") throw new StorageError("NOT_A_FILE", { place: share.place, path });
  signal?.throwIfAborted();
  try {
    await share.run(`del ${share.quoted(names)}`, signal);
  } catch (error) {
    if (!hasStatus(error, ...NOWHERE)) throw error;
  }
}

/** A rename over SMB replaces nothing, so an empty folder at the target is removed first. */
export async function moveEmptyFolder(share: Share, from: string, to: string): Promise<void> {
  const target = share.writableNamesOf(to);
  const source = share.removableNamesOf(from);
  await share.check();
  const there = await share.look(target);
  if ((await share.look(source))?.kind !== "folder") {
    if (there?.kind === "folder") return;
    throw missing(share, from);
  }
  if ((await share.entries(source)).length > 0) {
    throw new StorageError("FOLDER_NOT_EMPTY", { place: share.place, path: from });
  }
  const isSame = foldedPath(source) === foldedPath(target);
  const isFree = isSame || there?.kind !== "folder" || (await isFolderRemoved(share, target));
  if (isFree && (await renameIntoMadeFolder(share, source, target, undefined))) return;
  throw new StorageError("TARGET_EXISTS", { place: share.place, path: to });
}

export async function removeEmptyFolder(share: Share, path: string, upwards: boolean): Promise<boolean> {
  if (path === "") return false;
  const names = share.removableNamesOf(path);
  await share.check();
  for (let depth = names.length; depth > 0; depth--) {
    const isGone = await isFolderRemoved(share, names.slice(0, depth));
    if (depth === names.length && !isGone) return false;
    if (!isGone || !upwards) break;
  }
  return true;
}

async function isFolderRemoved(share: Share, names: readonly string[]): Promise<boolean> {
  try {
    await share.run(`rmdir ${share.quoted(names)}`);
    return true;
  } catch (error) {
    if (hasStatus(error, "DIRECTORY_NOT_EMPTY", "SHARING_VIOLATION", "DELETE_PENDING")) return false;
    if (hasStatus(error, "OBJECT_NAME_NOT_FOUND", "OBJECT_PATH_NOT_FOUND")) return true;
    throw error;
  }
}

/**
 * The status is the same for a missing source and for a missing folder at the target, so the folder is created only
 * after a first attempt.
 */
async function renameIntoMadeFolder(
  share: Share,
  from: readonly string[],
  to: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return await renameWithoutOverwriting(share, from, to, signal);
  } catch (error) {
    if (!hasStatus(error, "OBJECT_PATH_NOT_FOUND")) throw error;
    return await share.inMadeFolder(to.slice(0, -1), () => renameWithoutOverwriting(share, from, to, signal));
  }
}

function missing(share: Share, path: string): StorageError {
  return new StorageError("SOURCE_MISSING", { place: share.place, path });
}
