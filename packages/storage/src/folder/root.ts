import { randomUUID } from "node:crypto";
import { open, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Localized } from "@andon/contract";
import { faultOfThePlace, isDoubtful } from "../faults.ts";
import { MARKER, namesOf, removableNamesOf, temporaryName, writableNamesOf } from "../names.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { errnoOf, isNowhere, makeFolders, syncFolder } from "./folder-calls.ts";
import { isInside, type RootIdentity, whereOf } from "./root-identity.ts";

/** What was done when an error came. */
export type Use = "reading" | "writing";

/**
 * The folder that a storage lives in, and the question whether it is really there. An unmounted share leaves an empty
 * folder behind that takes writes gladly. With a marker, the root is the right one while its marker is the one seen first; a
 * share that was mounted again shows the same marker on another device. Without a marker the device itself must stay.
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

  /** What it was known by when it was last found right; undefined before that. */
  get identity(): RootIdentity | undefined {
    const { folder } = this;
    return this.#seen && { folder, watched: this.#watched, isMarker: this.#marked, where: this.#seen.where };
  }

  /** Throws the place's fault where this root is not the one it was. Every write asks here first. */
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

  /** What an error means that the root itself gave, not a path below it. */
  ownFault(error: unknown): StorageError {
    const { code, reason = "" } = asStorageError(error, { place: this.place });
    return new StorageError(faultOfThePlace(code), { place: this.place, reason }, { cause: error });
  }

  /** Makes a file in the root for a moment: only a write shows that a place can be written to. */
  async tryOut<T>(use: (file: string, another: string) => Promise<T>): Promise<T> {
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

  /** Where a path lies that is read. */
  async resolve(path: string): Promise<string> {
    const target = join(this.folder, ...namesOf(path));
    return await this.#inside(path, target, path === "" ? target : dirname(target));
  }

  /** Where a folder lies whose entries are read: a link in its place is followed like one on the way to it. */
  async resolveFolder(path: string): Promise<string> {
    const folder = join(this.folder, ...namesOf(path));
    return await this.#inside(path, folder, folder);
  }

  /** Where a path lies that is written to; the root was checked. */
  async resolveForWriting(path: string): Promise<string> {
    return await this.#changeable(path, writableNamesOf(path));
  }

  /** Where a path lies that is moved away or removed; the root was checked. */
  async resolveForRemoving(path: string): Promise<string> {
    return await this.#changeable(path, removableNamesOf(path));
  }

  async #changeable(path: string, names: readonly string[]): Promise<string> {
    await this.check();
    const target = join(this.folder, ...names);
    return await this.#inside(path, target, dirname(target));
  }

  /** The fault that an error means. One that a sick root gives too is believed only of a well root. */
  async faultOf(error: unknown, path: string, use: Use): Promise<StorageError> {
    const problem = asStorageError(error, { place: this.place, path });
    if (!isDoubtful(problem.code)) return problem;
    try {
      // A root that takes no writes still shows its marker, and denies every file in the same words as one alone.
      if (use === "writing" && problem.code === "DENIED") await this.tryOut(async () => {});
      else await this.check();
      return problem;
    } catch (sick) {
      return sick as StorageError;
    }
  }

  /**
   * Links inside the root are followed, links that lead out of it are refused. Somebody who can swap a folder for a link
   * between this look and the next call could still lead us away; whoever can do that has write access to the root already.
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

/** The real path of a folder, or of the nearest of its parents that exists. What cannot exist is told by the call that follows. */
async function realpathOfNearest(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (!isNowhere(error) || dirname(folder) === folder) throw error;
    return await realpathOfNearest(dirname(folder));
  }
}
