import { constants } from "node:fs";
import { lstat, mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Some file systems (and Windows) cannot sync a folder; its entries are then as durable as the file system makes them.
 * `ENOENT`: the folder was removed meanwhile and has no entries.
 */
const NO_FOLDER_SYNC = new Set([
  "ENOENT",
  "EINVAL",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EISDIR",
  "EPERM",
  "EACCES",
  "EBADF",
]);

/** Makes the entries of a folder survive a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(errnoOf(error))) throw error;
  }
}

/** Creates a folder and its missing parents, and syncs each parent so that the new entry is durable. */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return await mustBeFolder(path);
    if (errnoOf(error) !== "ENOENT") throw error;
    await makeFolders(dirname(path));
    await mkdir(path).catch((again) => {
      if (errnoOf(again) !== "EEXIST") throw again;
    });
  }
  await syncFolder(dirname(path));
}

async function mustBeFolder(path: string): Promise<void> {
  const info = await stat(path);
  if (!info.isDirectory()) throw Object.assign(new Error("a file is in the way"), { code: "ENOTDIR" });
}

const MOST_ATTEMPTS = 16;

/**
 * Creates a folder and runs a task in it. Repeats both when the folder disappears in between: emptied folders are
 * pruned, and the new folder may be empty for a moment.
 */
export async function inMadeFolder<T>(folder: string, task: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    let isMade = false;
    try {
      await makeFolders(folder);
      isMade = true;
      return await task();
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      if (isMade && (await lstatIfAny(folder))) throw error;
    }
  }
  throw Object.assign(new Error("the folder is removed again and again"), { code: "EBUSY" });
}

/** The entry at a path, without following links; undefined if there is none. */
export async function lstatIfAny(path: string) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export async function ignoring(code: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (errnoOf(error) !== code) throw error;
  }
}

/** Whether an error means that nothing exists at a path: it is missing, below a file, or too long. */
export function isNowhere(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(errnoOf(error));
}

export function errnoOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
