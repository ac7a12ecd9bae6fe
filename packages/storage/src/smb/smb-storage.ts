import type { Readable } from "node:stream";
import { fingerprintOf } from "../metered-source.ts";
import { isOlderTemporary } from "../names.ts";
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
import type { StorageError } from "../storage-error.ts";
import { entryOf, NOWHERE, Share, type ShareOptions, type Use } from "./share.ts";
import { hasStatus } from "./smb-error.ts";
import { moveEmptyFolder, moveOnShare, removeEmptyFolder, removeFromShare } from "./smb-move.ts";
import { putOnShare } from "./smb-put.ts";
import { readFromShare } from "./smb-read.ts";
import { parseSmbUrl } from "./smb-url.ts";

export function openSmb(url: string, options: ShareOptions): SmbStorage {
  return new SmbStorage(new Share(parseSmbUrl(url), options));
}

/** A folder of an SMB share, accessed with Samba's program `smbclient`. */
export class SmbStorage implements Storage {
  readonly place: string;
  readonly #share: Share;

  constructor(share: Share) {
    this.#share = share;
    this.place = share.place;
  }

  async capabilities(): Promise<Capabilities> {
    await this.#share.check();
    return { overwriting: "refused", folders: "real" };
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    return await putOnShare(this.#share, path, source, options);
  }

  async removeTemporaries(path: string, current: string): Promise<void> {
    await this.#guarded("writing", path, undefined, async () => {
      const folder = this.#share.writableNamesOf(path).slice(0, -1);
      await this.#share.check();
      for (const { name } of await this.#share.entries(folder)) {
        if (isOlderTemporary(name, current)) await this.#removeTemporary([...folder, name]);
      }
    });
  }

  async get(path: string, options: GetOptions = {}): Promise<Content> {
    return await this.#guarded("reading", path, options.signal, () =>
      readFromShare(this.#share, path, options),
    );
  }

  async stat(path: string): Promise<Entry | undefined> {
    return await this.#guarded("reading", path, undefined, async () => {
      const entry = await this.#share.look(this.#share.namesOf(path));
      if (!entry) await this.#share.check();
      return entry;
    });
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return await this.#guarded("reading", path, signal, async () =>
      fingerprintOf((await readFromShare(this.#share, path, { signal })).stream),
    );
  }

  async *list(folder: string, options: { recursive?: boolean } = {}): AsyncGenerator<Listed> {
    try {
      const names = this.#share.namesOf(folder);
      await this.#share.check();
      yield* this.#entriesBelow(names, options.recursive ?? false);
      // A share that was unmounted halfway would otherwise look like one with fewer files.
      await this.#share.check();
    } catch (error) {
      throw await this.#share.faultOf(error, folder, "reading");
    }
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await this.#guarded("writing", from, signal, () => moveOnShare(this.#share, from, to, expected, signal));
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#guarded("writing", path, signal, () => removeFromShare(this.#share, path, signal));
  }

  async makeFolder(path: string): Promise<void> {
    await this.#guarded("writing", path, undefined, async () => {
      const names = this.#share.writableNamesOf(path);
      await this.#share.check();
      await this.#share.inMadeFolder(names.slice(0, -1), () => this.#share.makeFolders(names));
    });
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await this.#guarded("writing", from, undefined, () => moveEmptyFolder(this.#share, from, to));
  }

  async removeFolderIfEmpty(path: string, options: { upwards?: boolean } = {}): Promise<boolean> {
    return await this.#guarded("writing", path, undefined, () =>
      removeEmptyFolder(this.#share, path, options.upwards ?? false),
    );
  }

  async freeSpace(): Promise<number | undefined> {
    return await this.#guarded("reading", "", undefined, () => this.#share.freeSpace());
  }

  async health(): Promise<Health> {
    try {
      await this.#share.probeWrite();
      return { ok: true };
    } catch (error) {
      return { ok: false, problem: error as StorageError };
    }
  }

  async initMarker(): Promise<void> {
    await this.#share.initMarker();
  }

  async close(): Promise<void> {
    await this.#share.sessions.close();
  }

  async *#entriesBelow(folder: readonly string[], recursive: boolean): AsyncGenerator<Listed> {
    for (const line of await this.#share.entries(folder)) {
      const names = [...folder, line.name];
      const path = names.join("/");
      yield { path, ...entryOf(path, line) };
      if (recursive && line.kind === "folder") yield* this.#entriesBelow(names, true);
    }
  }

  async #removeTemporary(names: readonly string[]): Promise<void> {
    try {
      await this.#share.run(`del ${this.#share.quoted(names)}`);
    } catch (error) {
      if (!hasStatus(error, ...NOWHERE)) throw error;
    }
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
      throw await this.#share.faultOf(error, path, use);
    }
  }
}
