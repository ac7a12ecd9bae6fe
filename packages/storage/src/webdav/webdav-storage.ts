import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { fingerprintOf } from "../metered-source.ts";
import {
  isOlderTemporary,
  isOwn,
  MARKER,
  namesOf,
  removableNamesOf,
  temporaryName,
  writableNamesOf,
} from "../names.ts";
import { otherSize } from "../reasons.ts";
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
import { StorageError } from "../storage-error.ts";
import { LIMITS, WebdavClient, type WebdavLimits } from "./webdav-client.ts";
import { WebdavFolders } from "./webdav-folders.ts";
import { mustBeSame, putOverWebdav, removeTree, renameWithoutOverwriting } from "./webdav-put.ts";
import { readOverWebdav } from "./webdav-read.ts";
import { entryOf, isNowhere, type Use, WebdavRoot } from "./webdav-root.ts";
import { parseWebdavUrl, type WebdavAddress } from "./webdav-url.ts";

export interface WebdavOptions {
  /** Whether the root must contain the marker `.andon-nas`. */
  readonly marker: boolean;
  readonly limits?: Partial<WebdavLimits>;
}

export function openWebdav(url: string, options: WebdavOptions): WebdavStorage {
  return new WebdavStorage(parseWebdavUrl(url), options);
}

/** A folder on a WebDAV server. */
export class WebdavStorage implements Storage {
  readonly place: string;
  readonly #client: WebdavClient;
  readonly #root: WebdavRoot;
  readonly #folders: WebdavFolders;

  constructor(address: WebdavAddress, { marker, limits }: WebdavOptions) {
    this.place = address.place;
    this.#client = new WebdavClient(address, { ...LIMITS, ...limits });
    this.#root = new WebdavRoot(address, this.#client, { marker });
    this.#folders = new WebdavFolders(this.#root);
  }

  /** No server reports whether its lookup and its move are atomic. */
  async capabilities(): Promise<Capabilities> {
    return { overwriting: "looked-up", folders: "real" };
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    return await putOverWebdav(this.#root, this.#folders, path, source, options);
  }

  async removeTemporaries(path: string, current: string): Promise<void> {
    await this.#guarded("writing", path, undefined, async () => {
      const folder = this.#root.at(...writableNamesOf(path)).slice(0, -1);
      await this.#root.check();
      for await (const { name } of (await this.#root.children(folder)) ?? []) {
        if (isOlderTemporary(name, current)) await removeTree(this.#root, [...folder, name]);
      }
    });
  }

  async get(path: string, options: GetOptions = {}): Promise<Content> {
    return await this.#guarded("reading", path, options.signal, async () => {
      if (namesOf(path).length === 0) {
        throw new StorageError("NOT_A_FILE", { place: this.place, path: "/" });
      }
      return await readOverWebdav(this.#root, path, options);
    });
  }

  async stat(path: string): Promise<Entry | undefined> {
    return await this.#guarded("reading", path, undefined, async () => {
      const found = await this.#root.inspect(path);
      if (found) return entryOf(kindOf(path, found.isFolder), found);
      await this.#root.check();
      return undefined;
    });
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return await fingerprintOf((await this.get(path, { signal })).stream);
  }

  async *list(folder: string, options: { recursive?: boolean } = {}): AsyncGenerator<Listed> {
    try {
      namesOf(folder);
      await this.#root.check();
      yield* this.#list(folder, options.recursive ?? false);
      // A share that was unmounted halfway would otherwise look like one with fewer files.
      await this.#root.check();
    } catch (error) {
      throw await this.#root.faultOf(error, folder, "reading");
    }
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await this.#guarded("writing", from, signal, async () => {
      const target = this.#root.at(...writableNamesOf(to));
      const source = this.#root.at(...removableNamesOf(from));
      await this.#root.check();
      const found = await this.#root.inspect(from);
      if (!found) {
        if (!(await this.#root.inspect(to))) throw this.#fault("SOURCE_MISSING", from);
        return await mustBeSame(this.#root, to, expected, signal);
      }
      if (found.isFolder) throw this.#fault("NOT_A_FILE", from);
      if (found.size !== expected.size) {
        const reason = otherSize(found.size, expected.size);
        throw new StorageError("SOURCE_CHANGED", { place: this.place, path: from, reason });
      }
      if (from === to) return;
      const isMoved = await this.#folders.inMade(target.slice(0, -1), async () => {
        signal?.throwIfAborted();
        return await renameWithoutOverwriting(this.#root, source, to);
      });
      if (!isMoved) throw this.#fault("TARGET_EXISTS", to);
    });
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#guarded("writing", path, signal, async () => {
      const names = this.#root.at(...removableNamesOf(path));
      await this.#root.check();
      const found = await this.#root.inspect(path);
      if (!found) return;
      // DELETE would remove a folder with everything in it.
      if (found.isFolder) throw this.#fault("NOT_A_FILE", path);
      signal?.throwIfAborted();
      await this.#client.do({ method: "DELETE", names }).catch((error) => {
        if (!isNowhere(error)) throw error;
      });
    });
  }

  async makeFolder(path: string): Promise<void> {
    await this.#guarded("writing", path, undefined, () => this.#folders.make(path));
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await this.#guarded("writing", from, undefined, () => this.#folders.move(from, to));
  }

  async removeFolderIfEmpty(path: string, options: { upwards?: boolean } = {}): Promise<boolean> {
    return await this.#guarded("writing", path, undefined, () =>
      this.#folders.removeIfEmpty(path, options.upwards ?? false),
    );
  }

  async freeSpace(): Promise<number | undefined> {
    return await this.#guarded("reading", "", undefined, async () => {
      await this.#root.check();
      return await this.#root.freeSpace();
    });
  }

  async health(): Promise<Health> {
    try {
      await this.#guarded("writing", "", undefined, () => this.#root.probeWrite());
      return { ok: true };
    } catch (error) {
      return { ok: false, problem: error as StorageError };
    }
  }

  async initMarker(): Promise<void> {
    if (!this.#root.isMarked) return;
    await this.#guarded("writing", "", undefined, async () => {
      if (await this.#root.inspect(MARKER)) return this.#root.forgetMark();
      await this.#folders.makeRoot();
      const mark = this.#root.at(temporaryName(randomUUID()));
      await this.#client.do({ method: "PUT", names: mark, body: `${randomUUID()}\n` });
      try {
        const headers = { destination: this.#client.urlOf(this.#root.at(MARKER)), overwrite: "F" };
        await this.#client.do({ method: "MOVE", names: mark, headers });
      } catch (error) {
        await this.#client.do({ method: "DELETE", names: mark }).catch(() => {});
        // Another process created it first.
        if (!(await this.#root.inspect(MARKER))) throw error;
      }
      this.#root.forgetMark();
    });
  }

  async close(): Promise<void> {
    this.#client.close();
  }

  async *#list(folder: string, recursive: boolean): AsyncGenerator<Listed> {
    const children = await this.#root.children(this.#root.at(...namesOf(folder)));
    const below: string[] = [];
    for await (const { name, isNameable, resource } of children ?? []) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const kind = isNameable ? kindOf(path, resource.isFolder) : "other";
      yield { path, ...entryOf(kind, resource) };
      // Each answer is read to its end before the next request.
      if (kind === "folder") below.push(path);
    }
    if (recursive) for (const path of below) yield* this.#list(path, true);
  }

  #fault(code: "SOURCE_MISSING" | "NOT_A_FILE" | "TARGET_EXISTS", path: string): StorageError {
    return new StorageError(code, { place: this.place, path });
  }

  async #guarded<T>(
    use: Use,
    path: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      namesOf(path);
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw await this.#root.faultOf(error, path, use);
    }
  }
}

/** `isOwn` comes first, because an unfinished upload is a folder here. */
function kindOf(path: string, isFolder: boolean): Entry["kind"] {
  if (isOwn(path)) return "own";
  return isFolder ? "folder" : "file";
}
