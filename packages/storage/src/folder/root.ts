import { randomUUID } from "node:crypto";
import { open, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Localized } from "@andon/contract";
import { destinationFaultOf, isDoubtful } from "../faults.ts";
import { MARKER, namesOf, removableNamesOf, temporaryName, writableNamesOf } from "../names.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { errnoOf, isNowhere, makeFolders, syncFolder } from "./folder-calls.ts";
import { isInside, type RootIdentity, whereOf } from "./root-identity.ts";

/** What the caller was doing when an error occurred. */
export type Use = "reading" | "writing";

/**
 * The root folder of a storage, and the check that it is really there. An unmounted share leaves an empty folder behind
 * that accepts writes. With a marker, the root is the right one while the marker has the content seen first; a share
 * that was mounted again shows the same marker on another device. Without a marker, the device must stay the same.
 */
export class Root {
  readonly folder: string;
  readonly place: string;
  readonly #marked: boolean;
  readonly #watched: string;
  #seen: { readonly where: string; readonly mark: string } | undefined;

  constructor(folder: string, options: { marker: boolean }) {
    this.folder = resolve(folder);
    this.place = this.folder;
    this.#marked = options.marker;
    this.#watched = this.#marked ? join(this.folder, MARKER) : this.folder;
  }

  /** How the root was identified by its last successful check; undefined before the first one. */
  get identity(): RootIdentity | undefined {
    const { folder } = this;
    return this.#seen && { folder, watched: this.#watched, isMarker: this.#marked, where: this.#seen.where };
  }

  /** Throws a fault of the destination if this root is not the one seen first. Every write calls this first. */
  async check(): Promise<void> {
    try {
      const info = await stat(this.#watched, { bigint: true });
      if (!this.#marked && !info.isDirectory())
        throw this.#notMounted({ en: "it is not a folder", ko: "폴더가 아닙니다" });
      const where = whereOf(info, this.#marked);
      if (this.#seen?.where === where) return;
      const mark = this.#marked ? await readFile(join(this.folder, MARKER), "utf8") : where;
      if (this.#seen && this.#seen.mark !== mark)
        throw this.#notMounted({
          en: "another file system lies there now",
          ko: "지금은 다른 파일 시스템이 있습니다",
        });
      this.#seen = { where, mark };
    } catch (error) {
      if (this.#marked && errnoOf(error) === "ENOENT")
        throw this.#notMounted({ en: `it has no ${MARKER}`, ko: `${MARKER} 파일이 없습니다` }, error);
      throw this.ownFault(error);
    }
  }

  /** The fault that an error means when the root itself gave it, not a path below it. */
  ownFault(error: unknown): StorageError {
    const { code, reason = "" } = asStorageError(error, { place: this.place });
    return new StorageError(destinationFaultOf(code), { place: this.place, reason }, { cause: error });
  }

  /** Creates a temporary file in the root: only a write shows that a place is writable. */
  async probeWrite<T>(use: (file: string, another: string) => Promise<T>): Promise<T> {
    const [file, another] = [randomUUID(), randomUUID()].map((name) =>
      join(this.folder, temporaryName(name)),
    ) as [string, string];
    try {
      await this.check();
      const handle = await open(file, "wx");
      try {
        await handle.writeFile("?");
        await handle.sync();
      } finally {
        await handle.close();
      }
      return await use(file, another);
    } catch (error) {
      throw this.ownFault(error);
    } finally {
      await rm(file, { force: true }).catch(() => {});
    }
  }

  async initMarker(): Promise<void> {
    if (!this.#marked) return;
    try {
      await makeFolders(this.folder);
      const handle = await open(join(this.folder, MARKER), "wx");
      try {
        await handle.writeFile(`${randomUUID()}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncFolder(this.folder);
      this.#seen = undefined;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw asStorageError(error, { place: this.place, path: MARKER });
    }
  }

  /** The absolute path of an entry to read. */
  async resolve(path: string): Promise<string> {
    const target = join(this.folder, ...namesOf(path));
    return await this.#inside(path, target, path === "" ? target : dirname(target));
  }

  /** The absolute path of a folder to list. If the folder is a link, it is followed, like a link on the way to it. */
  async resolveFolder(path: string): Promise<string> {
    const folder = join(this.folder, ...namesOf(path));
    return await this.#inside(path, folder, folder);
  }

  /** The absolute path of an entry to write. Checks the root first. */
  async resolveForWriting(path: string): Promise<string> {
    return await this.#changeable(path, writableNamesOf(path));
  }

  /** The absolute path of an entry to move away or remove. Checks the root first. */
  async resolveForRemoving(path: string): Promise<string> {
    return await this.#changeable(path, removableNamesOf(path));
  }

  async #changeable(path: string, names: readonly string[]): Promise<string> {
    await this.check();
    const target = join(this.folder, ...names);
    return await this.#inside(path, target, dirname(target));
  }

  /** The fault that an error means. A doubtful code is reported only if the root itself passes a check. */
  async faultOf(error: unknown, path: string, use: Use): Promise<StorageError> {
    const problem = asStorageError(error, { place: this.place, path });
    if (!isDoubtful(problem.code)) return problem;
    try {
      // A root that refuses writes still shows its marker, and its error is the same as that of one denied file. Only a
      // write tells the two apart.
      if (use === "writing" && problem.code === "DENIED") await this.probeWrite(async () => {});
      else await this.check();
      return problem;
    } catch (sick) {
      return sick as StorageError;
    }
  }

  /**
   * Links inside the root are followed; links that lead out of it are refused. Somebody who replaces a folder by a link
   * between this check and the next call could still redirect us, but that takes write access to the root.
   */
  async #inside(path: string, target: string, folder: string): Promise<string> {
    try {
      const root = await realpath(this.folder);
      const real = await realpathOfNearest(folder);
      if (!isInside(root, real)) throw new StorageError("LINK_REFUSED", { place: this.place, path });
      return target;
    } catch (error) {
      throw await this.faultOf(error, path, "reading");
    }
  }

  #notMounted(reason: Localized, cause?: unknown): StorageError {
    return new StorageError("NOT_MOUNTED", { place: this.place, reason }, { cause });
  }
}

/**
 * The real path of a folder, or of its nearest parent that exists. If the path cannot exist, the call that follows
 * fails.
 */
async function realpathOfNearest(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (!isNowhere(error) || dirname(folder) === folder) throw error;
    return await realpathOfNearest(dirname(folder));
  }
}
