import type { Readable } from "node:stream";
import type { Store } from "@andon/engine";
import {
  type Capabilities,
  type Content,
  type Entry,
  type Expected,
  type Fingerprint,
  type GetOptions,
  type Health,
  isStorageError,
  type Listed,
  type PutOptions,
  type Storage,
  StorageError,
} from "@andon/storage";
import { recognise } from "./nas-identity.ts";

/**
 * The NAS, checked by its marker. The first call, as the process starts, compares the marker on the NAS with the one in the
 * database; from then on the storage itself verifies that the marker stays the same. While the NAS is unreachable every call
 * fails with its error, and the next call checks again.
 */
export class KnownNas implements Storage {
  readonly place: string;
  readonly #inner: Storage;
  readonly #store: Store;
  readonly #url: string;
  #recognition: Promise<void> | undefined;

  constructor(inner: Storage, store: Store, url: string) {
    this.#inner = inner;
    this.#store = store;
    this.#url = url;
    this.place = inner.place;
  }

  async capabilities(): Promise<Capabilities> {
    return (await this.#known()).capabilities();
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    try {
      return await (await this.#known()).put(path, source, options);
    } finally {
      source.destroy();
    }
  }

  async removeTemporaries(path: string, current: string): Promise<void> {
    await (await this.#known()).removeTemporaries(path, current);
  }

  async get(path: string, options?: GetOptions): Promise<Content> {
    return (await this.#known()).get(path, options);
  }

  async stat(path: string): Promise<Entry | undefined> {
    return (await this.#known()).stat(path);
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return (await this.#known()).checksum(path, signal);
  }

  async *list(folder: string, options?: { recursive?: boolean }): AsyncGenerator<Listed> {
    yield* (await this.#known()).list(folder, options);
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await (await this.#known()).move(from, to, expected, signal);
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await (await this.#known()).remove(path, signal);
  }

  async makeFolder(path: string): Promise<void> {
    await (await this.#known()).makeFolder(path);
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await (await this.#known()).moveFolder(from, to);
  }

  async removeFolderIfEmpty(path: string, options?: { upwards?: boolean }): Promise<boolean> {
    return (await this.#known()).removeFolderIfEmpty(path, options);
  }

  async freeSpace(): Promise<number | undefined> {
    return (await this.#known()).freeSpace();
  }

  async health(): Promise<Health> {
    try {
      return await (await this.#known()).health();
    } catch (error) {
      if (isStorageError(error)) return { ok: false, problem: error };
      const reason = error instanceof Error ? error.message : String(error);
      return {
        ok: false,
        problem: new StorageError("UNREACHABLE", { place: this.place, reason }, { cause: error }),
      };
    }
  }

  async initMarker(): Promise<void> {
    await this.#inner.initMarker();
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async #known(): Promise<Storage> {
    this.#recognition ??= recognise(this.#store, this.#inner, this.#url);
    try {
      await this.#recognition;
    } catch (error) {
      this.#recognition = undefined;
      throw error;
    }
    return this.#inner;
  }
}
