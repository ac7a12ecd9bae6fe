import { randomUUID } from "node:crypto";
import type { Localized } from "@andon/contract";
import { destinationFaultOf, isDoubtful } from "../faults.ts";
import { isOwn, MARKER, namesOf, removableNamesOf, temporaryName, writableNamesOf } from "../names.ts";
import type { Entry } from "../storage.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { isQuotable, quoted, quotedFolder } from "./command-line.ts";
import { foldedPath } from "./folded-path.ts";
import { freeSpaceIn, isOfListing, type ListingLine, listingLine } from "./listing-lines.ts";
import { hasStatus } from "./smb-error.ts";
import type { SmbAddress } from "./smb-url.ts";
import { SmbclientSessions } from "./smbclient-sessions.ts";

/** What the caller was doing when an error occurred. */
export type Use = "reading" | "writing";

export interface ShareOptions {
  readonly marker: boolean;
  readonly existing: boolean;
}

const MOST_ATTEMPTS = 16;

/** A folder is missing. The server gives the second status if the folder disappears while it opens an entry in it. */
const NO_FOLDER = ["OBJECT_PATH_NOT_FOUND", "OBJECT_NAME_NOT_FOUND"];

const nothing = () => false;

/**
 * A folder of a share: its paths, the commands that every operation needs, and the check that it is really there. A NAS
 * whose disk is not mounted may still offer the share, empty and writable; the marker tells it from the right one.
 *
 * Paths are given as names, starting from the root of the storage.
 */
export class Share {
  readonly place: string;
  readonly sessions: SmbclientSessions;
  readonly #root: readonly string[];
  readonly #options: ShareOptions;
  #seen: string | undefined;

  constructor(address: SmbAddress, options: ShareOptions) {
    this.place = address.place;
    this.sessions = new SmbclientSessions(address);
    this.#root = address.root;
    this.#options = options;
  }

  /** The names of a path to read. */
  namesOf(path: string): string[] {
    const names = namesOf(path);
    if (!names.every(isQuotable)) {
      const reason = { en: "no name over SMB has such characters", ko: "SMB에서 쓸 수 없는 문자가 있습니다" };
      throw new StorageError("NAME_REFUSED", { place: this.place, path, reason });
    }
    return names;
  }

  /** The names of a path to write to. Names that Windows refuses are refused here, whatever the server is. */
  writableNamesOf(path: string): string[] {
    return writableNamesOf(path, { windows: true });
  }

  /** The names of a path to move away or remove. */
  removableNamesOf(path: string): string[] {
    removableNamesOf(path);
    return this.namesOf(path);
  }

  /** A path below the root in quotes, for use in a command. */
  quoted(names: readonly string[]): string {
    return quoted([...this.#root, ...names]);
  }

  /** The folder that smbclient starts in, as an argument. */
  folderArgument(names: readonly string[]): string {
    return [...this.#root, ...names].map((name) => `\\${name}`).join("") || "\\";
  }

  /** Runs a command that prints nothing when it succeeds. */
  async run(command: string, signal?: AbortSignal): Promise<void> {
    await this.sessions.run(command, nothing, signal);
  }

  /**
   * The entry at a path, without regard to case. The server also finds a file by its short (8.3) name; such a match
   * does not count.
   */
  async look(names: readonly string[]): Promise<Entry | undefined> {
    if (names.length === 0) {
      await this.check();
      return { kind: "folder", size: 0, modifiedAt: 0 };
    }
    const { lines } = await this.#list(this.quoted(names));
    const name = foldedPath(names.slice(-1));
    const line = lines.find((found) => foldedPath([found.name]) === name);
    return line && entryOf(names.join("/"), line);
  }

  /** The entries of a folder; none if the folder is missing. */
  async entries(names: readonly string[]): Promise<ListingLine[]> {
    const { lines } = await this.#list(quotedFolder([...this.#root, ...names]));
    return lines.filter(({ name }) => name !== "." && name !== "..");
  }

  async freeSpace(): Promise<number | undefined> {
    await this.check();
    const { free } = await this.#list(
      this.#options.marker ? this.quoted([MARKER]) : quotedFolder(this.#root),
    );
    return free;
  }

  async #list(mask: string): Promise<{ lines: ListingLine[]; free: number | undefined }> {
    try {
      const lines = await this.sessions.run(`ls ${mask}`, isOfListing);
      const entries = lines.map(listingLine).filter((line) => line !== undefined);
      return { lines: entries, free: freeSpaceIn(lines) };
    } catch (error) {
      if (hasStatus(error, ...NOWHERE)) return { lines: [], free: undefined };
      throw error;
    }
  }

  /** Creates a folder and its missing parents. */
  async makeFolders(names: readonly string[]): Promise<void> {
    if (this.#root.length + names.length === 0) return;
    try {
      await this.run(`mkdir ${this.quoted(names)}`);
    } catch (error) {
      if (hasStatus(error, "OBJECT_NAME_COLLISION")) return await this.#mustBeFolder(names);
      if (!hasStatus(error, ...NO_FOLDER) || names.length === 0) throw error;
      await this.makeFolders(names.slice(0, -1));
      await this.run(`mkdir ${this.quoted(names)}`).catch((again) => {
        if (!hasStatus(again, "OBJECT_NAME_COLLISION")) throw again;
      });
    }
  }

  /** Without regard to case, like the server. */
  async #mustBeFolder(names: readonly string[]): Promise<void> {
    const { lines } = await this.#list(this.quoted(names));
    if (lines.every(({ kind }) => kind === "folder")) return;
    throw new StorageError("NOT_A_FOLDER", { place: this.place, path: names.join("/") });
  }

  /**
   * Runs a task in a folder and creates the folder if it is missing. Repeats both when the folder disappears: emptied
   * folders are pruned at any time.
   */
  async inMadeFolder<T>(names: readonly string[], task: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await task();
      } catch (error) {
        if (!hasStatus(error, ...NO_FOLDER) || attempt === MOST_ATTEMPTS) throw error;
        await this.makeFolders(names).catch((again) => {
          if (!hasStatus(again, ...NO_FOLDER)) throw again;
        });
      }
    }
  }

  /** Stores a small file under a name that only this program uses. */
  async putSmall(names: readonly string[], bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const local = await this.sessions.localFile(bytes);
    try {
      const command = `put "${local.path}" ${this.quoted(names)}`;
      await this.sessions.run(command, (line) => line.startsWith("putting file "), signal);
    } finally {
      await local.remove();
    }
  }

  getCommand(names: readonly string[]): string {
    return `get ${this.quoted(names)} -`;
  }

  /** The bytes of a small file. */
  async getSmall(names: readonly string[], signal?: AbortSignal): Promise<Buffer> {
    return await this.sessions.use(async (session) => {
      const pieces: Buffer[] = [];
      await session.read(this.getCommand(names), (piece) => void pieces.push(piece));
      return Buffer.concat(pieces);
    }, signal);
  }

  /** Throws a fault of the destination if this root is not the one seen first. Every write calls this first. */
  async check(signal?: AbortSignal): Promise<void> {
    try {
      if (this.#options.marker) await this.#checkMarker(signal);
      else await this.#checkFolder();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.ownFault(error);
    }
  }

  async #checkMarker(signal: AbortSignal | undefined): Promise<void> {
    const mark = await this.getSmall([MARKER], signal).catch((error) => {
      if (!hasStatus(error, ...NOWHERE)) throw error;
      throw this.#notMounted({ en: `it has no ${MARKER}`, ko: `${MARKER} 파일이 없습니다` }, error);
    });
    const text = mark.toString();
    if (this.#seen !== undefined && this.#seen !== text) {
      const reason = { en: "another file system lies there now", ko: "지금은 다른 파일 시스템이 있습니다" };
      throw this.#notMounted(reason);
    }
    this.#seen = text;
  }

  /**
   * Creates a missing folder, unless `existing` is set. If the root is the share itself, a working connection is the
   * only check.
   */
  async #checkFolder(): Promise<void> {
    const { lines } = await this.#list(this.#root.length === 0 ? quoted([MARKER]) : quoted(this.#root));
    if (this.#root.length === 0 || lines.some(({ kind }) => kind === "folder")) return;
    if (this.#options.existing)
      throw this.#notMounted({ en: "there is no such folder", ko: "폴더가 없습니다" });
    await this.#makeRoot();
  }

  async #makeRoot(): Promise<void> {
    for (let depth = 1; depth <= this.#root.length; depth++) {
      await this.run(`mkdir ${quoted(this.#root.slice(0, depth))}`).catch((error) => {
        if (!hasStatus(error, "OBJECT_NAME_COLLISION")) throw error;
      });
    }
  }

  /** The marker is renamed into place, so that no other process reads half of it. */
  async initMarker(): Promise<void> {
    if (!this.#options.marker) return;
    try {
      await this.#makeRoot();
      const temporary = [temporaryName(randomUUID())];
      await this.putSmall(temporary, Buffer.from(`${randomUUID()}\n`));
      await this.run(`rename ${this.quoted(temporary)} ${this.quoted([MARKER])}`).catch(async (error) => {
        await this.run(`del ${this.quoted(temporary)}`);
        if (!hasStatus(error, "OBJECT_NAME_COLLISION")) throw error;
      });
      this.#seen = undefined;
    } catch (error) {
      throw this.ownFault(error);
    }
  }

  /** Creates a temporary file in the root: only a write shows that a place is writable. */
  async probeWrite(): Promise<void> {
    await this.check();
    const file = [temporaryName(randomUUID())];
    try {
      await this.putSmall(file, Buffer.from("?"));
      await this.run(`del ${this.quoted(file)}`);
    } catch (error) {
      throw this.ownFault(error);
    }
  }

  /** The fault that an error means when the root itself gave it, not a path below it. */
  ownFault(error: unknown): StorageError {
    const { code, reason = "" } = asStorageError(error, { place: this.place });
    return new StorageError(destinationFaultOf(code), { place: this.place, reason }, { cause: error });
  }

  /** The fault that an error means. A doubtful code is reported only if the root itself passes a check. */
  async faultOf(error: unknown, path: string, use: Use): Promise<StorageError> {
    const problem = asStorageError(error, { place: this.place, path });
    if (!isDoubtful(problem.code)) return problem;
    try {
      // A root that refuses writes still shows its marker, and its error is the same as that of one denied file. Only a
      // write tells the two apart.
      if (use === "writing" && problem.code === "DENIED") await this.probeWrite();
      else await this.check();
      return problem;
    } catch (sick) {
      return sick as StorageError;
    }
  }

  #notMounted(reason: Localized, cause?: unknown): StorageError {
    return new StorageError("NOT_MOUNTED", { place: this.place, reason }, { cause });
  }
}

/** Nothing exists at a path: the entry or its folder is missing, or a file is in the place of the folder. */
export const NOWHERE = ["NO_SUCH_FILE", "OBJECT_NAME_NOT_FOUND", "OBJECT_PATH_NOT_FOUND", "NOT_A_DIRECTORY"];

export function entryOf(path: string, { kind, size, modifiedAt }: ListingLine): Entry {
  return { kind: kind === "file" && isOwn(path) ? "own" : kind, size, modifiedAt };
}
