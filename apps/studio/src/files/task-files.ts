import { Readable } from "node:stream";
import { isStorageError, type Storage } from "@andon/storage";
import { StudioError } from "../contract/errors.ts";

/** Uploads stay until the task is deleted; generated and fetched files are removed by a cancel. */
export type Origin = "uploads" | "made";

/** The files of tasks: a folder per task in an object store. Rows hold their keys. */
export class TaskFiles {
  readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  key(taskId: string, origin: Origin, name: string): string {
    return `${folderOf(taskId, origin)}/${name}`;
  }

  /** Stores a file completely or not at all. Succeeds if the same bytes are already there. */
  async put(
    key: string,
    source: Readable,
    { fence, signal }: { fence: string; signal?: AbortSignal | undefined },
  ) {
    return await this.storage.put(key, source, { temporary: fence, signal });
  }

  async putBytes(key: string, bytes: Buffer, options: { fence: string; signal?: AbortSignal | undefined }) {
    return await this.put(key, Readable.from([bytes], { objectMode: false }), options);
  }

  async get(key: string, options: { range?: { start: number; end: number }; signal?: AbortSignal } = {}) {
    return await this.storage.get(key, options);
  }

  /** Removes files that no row refers to. */
  async discard(taskId: string, origin: Origin, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.storage.remove(key);
    if (keys.length > 0) await this.storage.removeFolderIfEmpty(folderOf(taskId, origin), { upwards: true });
  }

  /** Removes the files of a task, in one of its folders or in all. */
  async removeAll(taskId: string, what: Origin | "all"): Promise<void> {
    const folder = folderOf(taskId, what);
    const folders: string[] = [];
    for await (const entry of this.storage.list(folder, { recursive: true })) {
      if (entry.kind === "folder") folders.push(entry.path);
      else await this.storage.remove(entry.path);
    }
    // The deepest first, because a folder is removed only when it is empty.
    for (const path of [...folders.sort((a, b) => b.length - a.length), folder])
      await this.storage.removeFolderIfEmpty(path, { upwards: path === folder });
  }
}

function folderOf(taskId: string, what: Origin | "all"): string {
  return what === "all" ? `tasks/${taskId}` : `tasks/${taskId}/${what}`;
}

/** Turns a storage error into an answer in the reader's language. */
export async function asAnswer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw new StudioError("TASK_FILES_FAILED", { problem: error.localized }, { cause: error });
  }
}
