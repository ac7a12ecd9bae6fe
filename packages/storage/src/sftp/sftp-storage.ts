import type { Readable } from "node:stream";
import { fingerprintOf } from "../metered-source.ts";
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
import { StorageError } from "../storage-error.ts";
import { entryOf, listOverSftp } from "./sftp-list.ts";
import { makeFolderOverSftp, moveEmptyFolder, moveOverSftp, removeEmptyFolder } from "./sftp-move.ts";
import { parentOf, putOverSftp } from "./sftp-put.ts";
import { readOverSftp } from "./sftp-read.ts";
import { refusesToOverwrite } from "./sftp-rename.ts";
import { SftpRoot, type Use } from "./sftp-root.ts";
import { LIMITS, type SftpLimits, type SftpSession } from "./sftp-session.ts";
import { SftpSessions } from "./sftp-sessions.ts";
import { isNowhere, STATUS, statusOf } from "./sftp-status.ts";
import { parseSftpUrl, type SftpAddress } from "./sftp-url.ts";

export interface SftpOptions {
  /** Whether the root must contain the marker `.andon-nas`. */
  readonly marker: boolean;
  readonly limits?: Partial<SftpLimits>;
}

export function openSftp(url: string, options: SftpOptions): SftpStorage {
  return new SftpStorage(parseSftpUrl(url), options);
}

/** A folder on an SFTP server: version 3 of the protocol, with the extensions of OpenSSH if the server offers them. */
export class SftpStorage implements Storage {
  readonly place: string;
  readonly #sessions: SftpSessions;
  readonly #root: SftpRoot;
  #refuses: Promise<boolean> | undefined;

  constructor(address: SftpAddress, { marker, limits }: SftpOptions) {
    this.#sessions = new SftpSessions(address, { ...LIMITS, ...limits });
    this.#root = new SftpRoot(address, this.#sessions, { marker });
    this.place = address.place;
  }

  async capabilities(): Promise<Capabilities> {
    const refuses = await this.#guarded("reading", "", undefined, (session) => this.#askRefusal(session));
    return { overwriting: refuses ? "refused" : "looked-up", folders: "real" };
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    return await putOverSftp(this.#root, path, source, options, (session) => this.#askRefusal(session));
  }

  async removeTemporaries(path: string, current: string): Promise<void> {
    await this.#guarded("writing", path, undefined, async (session) => {
      const folder = parentOf(await this.#root.resolveForWriting(session, path));
      for await (const { path: name } of listOverSftp(session, folder, "", false)) {
        if (isOlderTemporary(name, current)) await removeIfAny(session, `${folder}/${name}`);
      }
    });
  }

  async get(path: string, options: GetOptions = {}): Promise<Content> {
    try {
      this.#mustBeFilePath(path);
      return await readOverSftp(this.#root, path, options);
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw await this.#root.faultOf(error, path, "reading");
    }
  }

  async stat(path: string): Promise<Entry | undefined> {
    return await this.#guarded("reading", path, undefined, async (session) => {
      try {
        // The root may be a link, because the operator chose it.
        const info =
          path === ""
            ? await session.stat(this.#root.at())
            : await session.lstat(await this.#root.resolve(session, path));
        return entryOf(path, info);
      } catch (error) {
        const isBelowFile = error instanceof StorageError && error.code === "NOT_A_FOLDER";
        if (!isNowhere(error) && !isBelowFile) throw error;
        await this.#root.check(session);
        return undefined;
      }
    });
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return await fingerprintOf((await this.get(path, { signal })).stream);
  }

  async *list(folder: string, options: { recursive?: boolean } = {}): AsyncGenerator<Listed> {
    let session: SftpSession | undefined;
    let giveBack = () => {};
    try {
      namesOf(folder);
      ({ session, giveBack } = await this.#sessions.borrow());
      await this.#root.check(session);
      const at = await this.#root.resolveFolder(session, folder);
      yield* listOverSftp(session, at, folder, options.recursive ?? false);
      // A share that was unmounted halfway would otherwise look like one with fewer files.
      await this.#root.check(session);
    } catch (error) {
      throw await this.#root.faultOf(error, folder, "reading");
    } finally {
      giveBack();
    }
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await this.#guarded("writing", from, signal, (session) =>
      moveOverSftp(this.#root, session, [from, to], expected, {
        refuses: () => this.#askRefusal(session),
        signal,
      }),
    );
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#guarded("writing", path, signal, async (session) => {
      const file = await this.#root.resolveForRemoving(session, path);
      signal?.throwIfAborted();
      await removeIfAny(session, file);
    });
  }

  async makeFolder(path: string): Promise<void> {
    await this.#guarded("writing", path, undefined, (session) =>
      makeFolderOverSftp(this.#root, session, path),
    );
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await this.#guarded("writing", from, undefined, (session) =>
      moveEmptyFolder(this.#root, session, from, to),
    );
  }

  async removeFolderIfEmpty(path: string, options: { upwards?: boolean } = {}): Promise<boolean> {
    return await this.#guarded("writing", path, undefined, (session) =>
      removeEmptyFolder(this.#root, session, path, options.upwards ?? false),
    );
  }

  async freeSpace(): Promise<number | undefined> {
    return await this.#guarded("reading", "", undefined, async (session) => {
      await this.#root.check(session);
      return (await session.fileSystem(this.#root.at()))?.free;
    });
  }

  async health(): Promise<Health> {
    try {
      await this.#guarded("writing", "", undefined, (session) =>
        this.#root.probeWrite(session, async () => undefined),
      );
      return { ok: true };
    } catch (error) {
      return { ok: false, problem: error as StorageError };
    }
  }

  async initMarker(): Promise<void> {
    await this.#guarded("writing", "", undefined, (session) => this.#root.initMarker(session));
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  /** Finds out once; after a failure, the next call tries again. */
  async #askRefusal(session: SftpSession): Promise<boolean> {
    this.#refuses ??= refusesToOverwrite(this.#root, session);
    try {
      return await this.#refuses;
    } catch (error) {
      this.#refuses = undefined;
      throw error;
    }
  }

  #mustBeFilePath(path: string): void {
    if (namesOf(path).length === 0) throw new StorageError("NOT_A_FILE", { place: this.place, path: "/" });
  }

  async #guarded<T>(
    use: Use,
    path: string,
    signal: AbortSignal | undefined,
    work: (session: SftpSession) => Promise<T>,
  ): Promise<T> {
    try {
      namesOf(path);
      return await this.#sessions.use(work, signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw await this.#root.faultOf(error, path, use);
    }
  }
}

async function removeIfAny(session: SftpSession, path: string): Promise<void> {
  try {
    await session.remove(path);
  } catch (error) {
    if (statusOf(error) !== STATUS.NO_SUCH_FILE) throw error;
  }
}
