import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { BufferedBytes } from "../buffered-bytes.ts";
import { isOlderTemporary, namesOf } from "../names.ts";
import type {
  Capabilities,
  Content,
  Entry,
  Expected,
  Fingerprint,
  GetOptions,
  Health,
  Listed,
  PutOptions,
  Storage,
} from "../storage.ts";
import { asStorageError, type StorageError } from "../storage-error.ts";
import { fingerprintAt, readFileAt } from "./file-reading.ts";
import { errnoOf, inMadeFolder, isNowhere, lstatIfAny } from "./folder-calls.ts";
import { entryOf, listFolder } from "./folder-list.ts";
import { moveEmptyFolder, moveInFolder, removeEmptyFolder, removeInFolder } from "./folder-move.ts";
import { putIntoFolder } from "./folder-put.ts";
import { canLink } from "./rename-without-overwriting.ts";
import { Root, type Use } from "./root.ts";
import { type SmallFileOptions, SmallFileThreads } from "./small-file-threads.ts";

export interface FolderOptions {
  /** Whether the folder must contain the marker `.andon-nas`. Use it for the root of a share that can be unmounted. */
  readonly marker: boolean;
  /** Whether to leave a missing folder missing. Default: false, which creates it unless `marker` is set. */
  readonly existing?: boolean;
  readonly smallFiles?: SmallFileOptions;
}

/** A folder of this machine, or a share that is mounted as one. */
export class FolderStorage implements Storage {
  readonly place: string;
  readonly #root: Root;
  readonly #smallFiles: SmallFileThreads;

  constructor(folder: string, options: FolderOptions) {
    this.#smallFiles = new SmallFileThreads(options.smallFiles);
    this.#root = new Root(folder, options);
    this.place = this.#root.place;
  }

  /**
   * Creates a missing folder unless a marker is required: a folder with a marker exists already, or it is the wrong
   * one.
   */
  static async open(folder: string, options: FolderOptions): Promise<FolderStorage> {
    const storage = new FolderStorage(folder, options);
    try {
      // Private to the user of this process; a folder that several people use exists already.
      if (!options.marker && !options.existing)
        await mkdir(storage.#root.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw asStorageError(error, { place: storage.place });
    }
    return storage;
  }

  async capabilities(): Promise<Capabilities> {
    const overwriting = (await this.#root.probeWrite(canLink)) ? "refused" : "looked-up";
    return { overwriting, folders: "real" };
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    return await putIntoFolder(this.#root, this.#smallFiles, path, source, options);
  }

  async removeTemporaries(path: string, current: string): Promise<void> {
    await this.#writing(path, undefined, async () => {
      const folder = dirname(await this.#root.resolveForWriting(path));
      const names = await readdir(folder).catch((error) => {
        if (errnoOf(error) === "ENOENT") return [];
        throw error;
      });
      for (const name of names) {
        if (isOlderTemporary(name, current)) await rm(join(folder, name), { force: true });
      }
    });
  }

  async get(path: string, options: GetOptions = {}): Promise<Content> {
    return await this.#reading(path, options.signal, async () => {
      const small = options.range ? undefined : await this.#readOnThread(path);
      options.signal?.throwIfAborted();
      if (small) {
        const size = small.byteLength;
        return { stream: new BufferedBytes(small), size, length: size };
      }
      const file = await this.#root.resolve(path);
      return await readFileAt(this.#root, path, file, options);
    });
  }

  async stat(path: string): Promise<Entry | undefined> {
    return await this.#reading(path, undefined, async () => {
      const info = await lstatIfAny(await this.#root.resolve(path)).catch((error) => {
        if (isNowhere(error)) return undefined;
        throw error;
      });
      if (info) return entryOf(path, info);
      await this.#root.check();
      return undefined;
    });
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return await this.#reading(path, signal, async () => {
      const file = await this.#root.resolve(path);
      return await fingerprintAt(this.#root, path, file, signal);
    });
  }

  async *list(folder: string, options: { recursive?: boolean } = {}): AsyncGenerator<Listed> {
    try {
      await this.#root.check();
      yield* listFolder(await this.#root.resolveFolder(folder), folder, options.recursive ?? false);
      // A share that was unmounted halfway would otherwise look like one with fewer files.
      await this.#root.check();
    } catch (error) {
      throw await this.#root.faultOf(error, folder, "reading");
    }
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await this.#writing(from, signal, () => moveInFolder(this.#root, from, to, expected, signal));
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#writing(path, signal, () => removeInFolder(this.#root, path, signal));
  }

  async makeFolder(path: string): Promise<void> {
    await this.#writing(path, undefined, async () => {
      await inMadeFolder(await this.#root.resolveForWriting(path), async () => {});
    });
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await this.#writing(from, undefined, () => moveEmptyFolder(this.#root, from, to));
  }

  async removeFolderIfEmpty(path: string, options: { upwards?: boolean } = {}): Promise<boolean> {
    return await this.#writing(path, undefined, () =>
      removeEmptyFolder(this.#root, path, options.upwards ?? false),
    );
  }

  async freeSpace(): Promise<number> {
    return await this.#reading("", undefined, async () => {
      await this.#root.check();
      const { bavail, bsize } = await statfs(this.#root.folder);
      return bavail * bsize;
    });
  }

  async health(): Promise<Health> {
    try {
      await this.#root.probeWrite(async () => undefined);
      return { ok: true };
    } catch (error) {
      return { ok: false, problem: error as StorageError };
    }
  }

  async initMarker(): Promise<void> {
    await this.#root.initMarker();
  }

  async close(): Promise<void> {
    await this.#smallFiles.close();
  }

  async #readOnThread(path: string): Promise<Uint8Array | undefined> {
    const { folder, identity } = this.#root;
    return identity && (await this.#smallFiles.read(identity, join(folder, ...namesOf(path))));
  }

  async #reading<T>(path: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return await this.#guarded("reading", path, signal, work);
  }

  async #writing<T>(path: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return await this.#guarded("writing", path, signal, work);
  }

  async #guarded<T>(
    use: Use,
    path: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw await this.#root.faultOf(error, path, use);
    }
  }
}
