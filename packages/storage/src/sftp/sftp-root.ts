import { randomUUID } from "node:crypto";
import type { Localized } from "@andon/contract";
import type { Stats } from "ssh2";
import { destinationFaultOf, isDoubtful } from "../faults.ts";
import { MARKER, namesOf, removableNamesOf, temporaryName, writableNamesOf } from "../names.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import type { SftpSession } from "./sftp-session.ts";
import type { SftpSessions } from "./sftp-sessions.ts";
import { isNowhere, STATUS, statusOf } from "./sftp-status.ts";
import type { SftpAddress } from "./sftp-url.ts";

export type Use = "reading" | "writing";

/** With less free space than this, in bytes, an unexplained failure means that the file system is full. */
const NO_ROOM = 1024 * 1024;
const LONGEST_MARK = 256;

/**
 * The root folder of a storage on a server, and the check that it is really there: a share can be unmounted behind the
 * server too. With a marker, the root is the right one while the marker has the content seen first.
 */
export class SftpRoot {
  readonly place: string;
  readonly sessions: SftpSessions;
  readonly #folder: string;
  readonly #marked: boolean;
  #mark: string | undefined;

  constructor({ root, place }: SftpAddress, sessions: SftpSessions, options: { marker: boolean }) {
    this.place = place;
    this.sessions = sessions;
    this.#folder = root;
    this.#marked = options.marker;
  }

  /** The path of an entry below the root, in the form that the server gets. */
  at(...names: readonly string[]): string {
    if (names.length === 0) return this.#folder;
    return `${this.#folder === "/" ? "" : this.#folder}/${names.join("/")}`;
  }

  /** Throws a fault of the destination if this root is not the one seen first. Every write calls this first. */
  async check(session: SftpSession): Promise<void> {
    try {
      if (this.#marked) await this.#checkMark(session);
      else if (!(await session.stat(this.#folder)).isDirectory())
        throw this.#notMounted({ en: "it is not a folder", ko: "폴더가 아닙니다" });
    } catch (error) {
      if (this.#marked && statusOf(error) === STATUS.NO_SUCH_FILE)
        throw this.#notMounted({ en: `it has no ${MARKER}`, ko: `${MARKER} 파일이 없습니다` }, error);
      throw this.#ownFault(error);
    }
  }

  async initMarker(session: SftpSession): Promise<void> {
    if (!this.#marked) return;
    const file = this.at(MARKER);
    try {
      if (await session.lstatIfAny(file).catch(nothing)) return;
      await makeFolders(session, this.#folder);
      const handle = await session.open(file, "wx");
      try {
        await session.write(handle, Buffer.from(`${randomUUID()}\n`), 0);
        await session.sync(handle);
      } finally {
        await session.close(handle);
      }
    } catch (error) {
      // Another process created it first.
      if (await session.lstatIfAny(file).catch(nothing)) return;
      throw this.#ownFault(error);
    } finally {
      this.#mark = undefined;
    }
  }

  /** Writes a temporary file in the root: only a write shows that a place is writable. */
  async probeWrite<T>(session: SftpSession, use: (file: string) => Promise<T>): Promise<T> {
    const file = this.at(temporaryName(randomUUID()));
    let isOpen = false;
    try {
      await this.check(session);
      const handle = await session.open(file, "wx");
      isOpen = true;
      try {
        await session.write(handle, Buffer.from("?"), 0);
        await session.sync(handle);
      } finally {
        await session.close(handle);
      }
      return await use(file);
    } catch (error) {
      const told = await this.#faultOfFileSystem(session, error);
      if (told) throw told;
      // A quota can allow a new file but refuse its content.
      if (isOpen && statusOf(error) === STATUS.FAILURE) throw this.#fault("FULL", error);
      throw this.#ownFault(error);
    } finally {
      if (isOpen) await session.remove(file).catch(nothing);
    }
  }

  /**
   * The fault that a failed write means. Must run before the bytes written so far are removed: that would free space
   * and hide a full disk.
   */
  async writeFault(session: SftpSession, error: unknown): Promise<unknown> {
    if (statusOf(error) !== STATUS.FAILURE) return error;
    const told = await this.#faultOfFileSystem(session, error);
    if (told) return told;
    return await this.probeWrite(session, async () => error).catch((sick) => sick);
  }

  /** The path of an entry to read. */
  async resolve(session: SftpSession, path: string): Promise<string> {
    const names = namesOf(path);
    await this.#mustBeFolders(session, path, names.slice(0, -1));
    return this.at(...names);
  }

  /** The path of a folder to list. */
  async resolveFolder(session: SftpSession, path: string): Promise<string> {
    const names = namesOf(path);
    await this.#mustBeFolders(session, path, names);
    return this.at(...names);
  }

  /** The path of an entry to write. Checks the root first. */
  async resolveForWriting(session: SftpSession, path: string): Promise<string> {
    return await this.#changeable(session, path, writableNamesOf(path));
  }

  /** The path of an entry to move away or remove. Checks the root first. */
  async resolveForRemoving(session: SftpSession, path: string): Promise<string> {
    return await this.#changeable(session, path, removableNamesOf(path));
  }

  /** The fault that an error means. A doubtful code is reported only if the root itself passes a check. */
  async faultOf(error: unknown, path: string, use: Use): Promise<StorageError> {
    const problem = asStorageError(error, { place: this.place, path });
    if (!isDoubtful(problem.code)) return problem;
    const isRefused = problem.code === "DENIED" || problem.code === "UNKNOWN";
    try {
      await this.sessions.use(async (session) => {
        // A root that refuses writes still shows its marker, and its error is the same as that of one denied file. Only
        // a write tells the two apart.
        if (use === "writing" && isRefused) await this.probeWrite(session, async () => {});
        else await this.check(session);
      });
      return problem;
    } catch (sick) {
      return this.#ownFault(sick);
    }
  }

  async #changeable(session: SftpSession, path: string, names: readonly string[]): Promise<string> {
    const folders = this.#mustBeFolders(session, path, names.slice(0, -1));
    folders.catch(nothing);
    await this.check(session);
    await folders;
    return this.at(...names);
  }

  /**
   * Every existing part on the way to a path must be a folder. Links are not followed at all, because a server does not
   * have to say where one leads. All parts are requested at once. Somebody who replaces a folder by a link between this
   * check and the next call could still redirect us, but that takes write access to the root.
   */
  async #mustBeFolders(session: SftpSession, path: string, names: readonly string[]): Promise<void> {
    const found = await Promise.all(
      names.map(async (_, index) => {
        try {
          return await session.lstat(this.at(...names.slice(0, index + 1)));
        } catch (error) {
          if (isNowhere(error)) return undefined;
          throw error;
        }
      }),
    );
    const odd = found.find((info) => info && !info.isDirectory());
    if (!odd) return;
    const code = odd.isSymbolicLink() ? "LINK_REFUSED" : "NOT_A_FOLDER";
    throw new StorageError(code, { place: this.place, path });
  }

  async #checkMark(session: SftpSession): Promise<void> {
    const handle = await session.open(this.at(MARKER), "r");
    const mark = await session.read(handle, 0, LONGEST_MARK).finally(() => session.close(handle));
    const text = mark.toString();
    this.#mark ??= text;
    if (this.#mark === text) return;
    throw this.#notMounted({
      en: "another file system lies there now",
      ko: "지금은 다른 파일 시스템이 있습니다",
    });
  }

  /** The fault that an error means when the root itself gave it, not a path below it. */
  #ownFault(error: unknown): StorageError {
    const { code, reason = "" } = asStorageError(error, { place: this.place });
    // The server is reachable, because it answers; it only does not say what is wrong.
    const meant = statusOf(error) === STATUS.FAILURE ? "BROKEN" : destinationFaultOf(code);
    return new StorageError(meant, { place: this.place, reason }, { cause: error });
  }

  /** OpenSSH has no status for a file system that is full or read-only, but it reports the state of a file system. */
  async #faultOfFileSystem(session: SftpSession, error: unknown): Promise<StorageError | undefined> {
    if (statusOf(error) === undefined) return undefined;
    const state = await session.fileSystem(this.#folder)?.catch(nothing);
    if (state?.isReadOnly) return this.#fault("READ_ONLY", error);
    return state && state.free < NO_ROOM ? this.#fault("FULL", error) : undefined;
  }

  #fault(code: "FULL" | "READ_ONLY", cause: unknown): StorageError {
    return new StorageError(code, { place: this.place }, { cause });
  }

  #notMounted(reason: Localized, cause?: unknown): StorageError {
    return new StorageError("NOT_MOUNTED", { place: this.place, reason }, { cause });
  }
}

/** Creates a folder and its missing parents. A folder that exists already is no error. */
export async function makeFolders(session: SftpSession, folder: string): Promise<void> {
  try {
    await session.makeFolder(folder);
  } catch (error) {
    if (statusOf(error) === STATUS.NO_SUCH_FILE) {
      const parent = folder.slice(0, folder.lastIndexOf("/"));
      if (parent === "" || parent === folder) throw error;
      await makeFolders(session, parent);
      return await makeFolders(session, folder);
    }
    const info = await statIfAny(session, folder);
    if (!info?.isDirectory()) throw error;
  }
}

/** Follows links, because the operator chose the root and the path to it. */
async function statIfAny(session: SftpSession, path: string): Promise<Stats | undefined> {
  try {
    return await session.stat(path);
  } catch (error) {
    if (isNowhere(error)) return undefined;
    throw error;
  }
}

function nothing(): undefined {}
