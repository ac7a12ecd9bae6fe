import { randomUUID } from "node:crypto";
import type { Localized } from "@andon/contract";
import { faultOfThePlace, isDoubtful } from "../faults.ts";
import { isOwn, MARKER, namesOf, removableNamesOf, temporaryName, writableNamesOf } from "../names.ts";
import type { Entry } from "../storage.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { isSpeakable, quoted, quotedFolder } from "./command-line.ts";
import { foldedPath } from "./folded-path.ts";
import { freeSpaceIn, isOfListing, type ListingLine, listingLine } from "./listing-lines.ts";
import { hasStatus } from "./smb-error.ts";
import type { SmbAddress } from "./smb-url.ts";
import { SmbclientSessions } from "./smbclient-sessions.ts";

/** What was done when an error came. */
export type Use = "reading" | "writing";

export interface ShareOptions {
  readonly marker: boolean;
  readonly existing: boolean;
}

const MOST_ATTEMPTS = 16;

/** The second one comes of a folder that goes while the server opens what is in it. */
const NO_FOLDER = ["OBJECT_PATH_NOT_FOUND", "OBJECT_NAME_NOT_FOUND"];

const nothing = () => false;

/**
 * A folder of a share: its paths, the commands that every operation needs, and the question whether it is really there. A NAS whose
 * disk is not mounted may still show the share, empty and glad of every write; the marker tells it from the right one.
 *
 * Paths are given as the names from the root of the storage.
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

  /** The names of a path that is read. */
  namesOf(path: string): string[] {
    const names = namesOf(path);
    if (!names.every(isSpeakable)) {
      const reason = { en: "no name over SMB has such characters", ko: "SMB에서 쓸 수 없는 문자가 있습니다" };
      throw new StorageError("NAME_REFUSED", { place: this.place, path, reason });
    }
    return names;
  }

  /** The names of a path that something is written to; what Windows refuses is refused here, whatever the server is. */
  writableNamesOf(path: string): string[] {
    return writableNamesOf(path, { windows: true });
  }

  /** The names of a path that something is taken away from. */
  removableNamesOf(path: string): string[] {
    removableNamesOf(path);
    return this.namesOf(path);
  }

  /** A path in a command. */
  quoted(names: readonly string[]): string {
    return quoted([...this.#root, ...names]);
  }

  /** A folder for smbclient to begin in. */
  folderArgument(names: readonly string[]): string {
    return [...this.#root, ...names].map((name) => `\\${name}`).join("") || "\\";
  }

  /** Runs a command that prints nothing when it succeeds. */
  async run(command: string, signal?: AbortSignal): Promise<void> {
    await this.sessions.run(command, nothing, signal);
  }

  /** What lies at a path, in whatever case of its letters. The server also finds long names by their short ones; those do not count. */
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

  /** What is in a folder; nothing where there is none. */
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

  /** Makes a folder and its missing parents. */
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

  /** Under any letters' case, as the server sees it. */
  async #mustBeFolder(names: readonly string[]): Promise<void> {
    const { lines } = await this.#list(this.quoted(names));
    if (lines.every(({ kind }) => kind === "folder")) return;
    throw new StorageError("NOT_A_FOLDER", { place: this.place, path: names.join("/") });
  }

  /** Runs what needs a folder, and makes it where it is missing. Whoever prunes emptied folders may take it away at any time. */
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

  /** Puts a small file under a name that only we use. */
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

  /** Throws the place's fault where this root is not the one it was. Every write asks here first. */
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

  /** A folder without a marker is ours to make. Of the share itself a connection is all there is to ask for. */
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

  /** The marker appears whole: another process may be reading it. */
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

  /** Makes a file in the root for a moment: only a write shows that a place can be written to. */
  async tryOut(): Promise<void> {
    await this.check();
    const file = [temporaryName(randomUUID())];
    try {
      await this.putSmall(file, Buffer.from("?"));
      await this.run(`del ${this.quoted(file)}`);
    } catch (error) {
      throw this.ownFault(error);
    }
  }

  /** What an error means that the root itself gave, not a path below it. */
  ownFault(error: unknown): StorageError {
    const { code, reason = "" } = asStorageError(error, { place: this.place });
    return new StorageError(faultOfThePlace(code), { place: this.place, reason }, { cause: error });
  }

  /** The fault that an error means. One that a sick root gives too is believed only of a well root. */
  async faultOf(error: unknown, path: string, use: Use): Promise<StorageError> {
    const problem = asStorageError(error, { place: this.place, path });
    if (!isDoubtful(problem.code)) return problem;
    try {
      // A root that takes no writes still shows its marker, and denies every file in the same words as one alone.
      if (use === "writing" && problem.code === "DENIED") await this.tryOut();
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

/** Nothing lies at a path: it is missing, or its folder is, or a file is in the folder's place. */
export const NOWHERE = ["NO_SUCH_FILE", "OBJECT_NAME_NOT_FOUND", "OBJECT_PATH_NOT_FOUND", "NOT_A_DIRECTORY"];

export function entryOf(path: string, { kind, size, modifiedAt }: ListingLine): Entry {
  return { kind: kind === "file" && isOwn(path) ? "own" : kind, size, modifiedAt };
}
