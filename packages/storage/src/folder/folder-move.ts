import { readdir, rename, rmdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { joinPath, namesOf } from "../names.ts";
import { otherSize } from "../reasons.ts";
import type { Expected } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { errnoOf, ignoring, inMadeFolder, lstatIfAny, syncFolder } from "./folder-calls.ts";
import { mustBeSame } from "./folder-put.ts";
import { renameWithoutOverwriting } from "./rename-without-overwriting.ts";
import type { Root } from "./root.ts";

export async function moveInFolder(
  root: Root,
  from: string,
  to: string,
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const target = await root.resolveForWriting(to);
  const source = await root.resolveForRemoving(from);
  const info = await lstatIfAny(source);
  if (!info) {
    if (!(await lstatIfAny(target))) throw missing(root, from);
    await mustBeSame(root, to, target, expected, signal);
  } else {
    if (!info.isFile()) throw new StorageError("NOT_A_FILE", { place: root.place, path: from });
    if (Number(info.size) !== expected.size) {
      const reason = otherSize(info.size, expected.size);
      throw new StorageError("SOURCE_CHANGED", { place: root.place, path: from, reason });
    }
    if (source === target) return;
    signal?.throwIfAborted();
    const isMoved = await inMadeFolder(dirname(target), () => renameWithoutOverwriting(source, target));
    if (!isMoved) throw new StorageError("TARGET_EXISTS", { place: root.place, path: to });
  }
  await syncFolder(dirname(target));
  await syncFolder(dirname(source));
}

export async function removeInFolder(
  root: Root,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = await root.resolveForRemoving(path);
  signal?.throwIfAborted();
  await ignoring("ENOENT", unlink(file));
  await syncFolder(dirname(file));
}

/** On POSIX, `rename` replaces an empty folder only, and never a file, so no other check of the target is needed. */
export async function moveEmptyFolder(root: Root, from: string, to: string): Promise<void> {
  const target = await root.resolveForWriting(to);
  const source = await root.resolveForRemoving(from);
  if (await isFolder(source)) {
    if ((await readdir(source)).length > 0) {
      throw new StorageError("FOLDER_NOT_EMPTY", { place: root.place, path: from });
    }
    try {
      await inMadeFolder(dirname(target), () => rename(source, target));
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errnoOf(error))) throw error;
      throw new StorageError("TARGET_EXISTS", { place: root.place, path: to }, { cause: error });
    }
  } else if (!(await isFolder(target))) {
    throw missing(root, from);
  }
  await syncFolder(dirname(target));
  await syncFolder(dirname(source));
}

export async function removeEmptyFolder(root: Root, path: string, upwards: boolean): Promise<boolean> {
  if (path === "") return false;
  const folder = await root.resolveForRemoving(path);
  try {
    await rmdir(folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    if (code !== "ENOENT") throw error;
  }
  if (upwards) await removeEmptyFolder(root, joinPath(...namesOf(path).slice(0, -1)), true);
  return true;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstatIfAny(path))?.isDirectory() ?? false;
}

function missing(root: Root, path: string): StorageError {
  return new StorageError("SOURCE_MISSING", { place: root.place, path });
}
