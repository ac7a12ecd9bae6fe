import { randomUUID } from "node:crypto";
import { joinPath, namesOf, removableNamesOf, temporaryName, writableNamesOf } from "../names.ts";
import { StorageError } from "../storage-error.ts";
import { SharedGate } from "./shared-gate.ts";
import { statusOf } from "./webdav-client.ts";
import { isNowhere, type WebdavRoot } from "./webdav-root.ts";

const MOST_ATTEMPTS = 16;

/**
 * Creates, moves and removes folders. WebDAV removes a folder with everything in it. So "remove if empty" first moves
 * the folder aside, to a name that nobody uses, and removes it only if it is empty there. An entry that was added in
 * between is moved back. Within this process, a lock keeps others from putting anything into a folder meanwhile.
 */
export class WebdavFolders {
  readonly #root: WebdavRoot;
  readonly #gate = new SharedGate();

  constructor(root: WebdavRoot) {
    this.#root = root;
  }

  /**
   * Runs a task that puts something into a folder, and creates the folder if it is missing. Another process may remove
   * the folder while it is empty.
   */
  async inMade<T>(folder: readonly string[], task: () => Promise<T>): Promise<T> {
    return await this.#gate.together(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          // The folder usually exists; not creating it first saves a request.
          if (attempt > 1) await this.#make(folder);
          return await task();
        } catch (error) {
          // Apache answers 500 to a move into a missing folder.
          const isUnsure = statusOf(error) === 500;
          if (!(isUnsure || isNowhere(error)) || attempt === MOST_ATTEMPTS) throw error;
          if ((isUnsure || attempt > 1) && (await this.#root.hasFolder(folder))) throw error;
        }
      }
    });
  }

  async make(path: string): Promise<void> {
    const names = this.#root.at(...writableNamesOf(path));
    await this.#root.check();
    await this.#gate.together(() => this.#make(names));
    const found = await this.#root.inspect(path);
    if (!found?.isFolder) throw new StorageError("NOT_A_FOLDER", { place: this.#root.place, path });
  }

  /** Creates the root, before its marker is created. */
  async makeRoot(): Promise<void> {
    await this.#make(this.#root.names);
  }

  async move(from: string, to: string): Promise<void> {
    const { place, client } = this.#root;
    const target = this.#root.at(...writableNamesOf(to));
    const source = this.#root.at(...removableNamesOf(from));
    await this.#root.check();
    const [found, there] = [await this.#root.inspect(from), await this.#root.inspect(to)];
    if (!found?.isFolder) {
      if (there?.isFolder) return;
      throw new StorageError("SOURCE_MISSING", { place, path: from });
    }
    if (!(await this.#isEmpty(source))) throw new StorageError("FOLDER_NOT_EMPTY", { place, path: from });
    if (from === to) return;
    const taken = (cause?: unknown) => new StorageError("TARGET_EXISTS", { place, path: to }, { cause });
    if (there && !(there.isFolder && (await this.#removeIfEmpty(target)))) throw taken();
    const headers = { destination: client.urlOf(target, true), overwrite: "F" };
    try {
      await this.inMade(target.slice(0, -1), () =>
        client.do({ method: "MOVE", names: source, isFolder: true, headers }),
      );
    } catch (error) {
      throw statusOf(error) === 412 ? taken(error) : error;
    }
  }

  async removeIfEmpty(path: string, upwards: boolean): Promise<boolean> {
    if (path === "") return false;
    const names = this.#root.at(...removableNamesOf(path));
    await this.#root.check();
    if (!(await this.#removeIfEmpty(names))) return false;
    if (upwards) await this.removeIfEmpty(joinPath(...namesOf(path).slice(0, -1)), true);
    return true;
  }

  async #make(folder: readonly string[]): Promise<void> {
    try {
      await this.#root.client.do({ method: "MKCOL", names: folder, isFolder: true });
    } catch (error) {
      // It exists already; the caller checks whether it is a folder. Apache denies the request if another process
      // creates it at the same moment.
      if (statusOf(error) === 405 || (await this.#root.hasFolder(folder))) return;
      if (!isNowhere(error) || folder.length === 0) throw error;
      await this.#make(folder.slice(0, -1));
      await this.#make(folder);
    }
  }

  /** Answers whether the folder is gone, also if it never existed. */
  async #removeIfEmpty(folder: readonly string[]): Promise<boolean> {
    return await this.#gate.alone(async () => {
      if (!(await this.#isEmpty(folder))) return false;
      const { client } = this.#root;
      const aside = [...folder.slice(0, -1), temporaryName(randomUUID())];
      const headers = { destination: client.urlOf(aside, true), overwrite: "F" };
      try {
        await client.do({ method: "MOVE", names: folder, isFolder: true, headers });
      } catch (error) {
        if (isNowhere(error)) return true;
        throw error;
      }
      const isEmpty = await this.#isEmpty(aside);
      if (!isEmpty) await this.#bringBack(aside, folder);
      if (await this.#isEmpty(aside)) await client.do({ method: "DELETE", names: aside, isFolder: true });
      return isEmpty;
    });
  }

  /**
   * Another program added a file at the last moment. It is moved back; an entry that has taken its name meanwhile
   * stays.
   */
  async #bringBack(aside: readonly string[], folder: readonly string[]): Promise<void> {
    const { client } = this.#root;
    await this.#make(folder);
    for await (const { name, isNameable, resource } of (await this.#root.children(aside)) ?? []) {
      if (!isNameable) continue;
      const headers = { destination: client.urlOf([...folder, name], resource.isFolder), overwrite: "F" };
      await client.do({ method: "MOVE", names: [...aside, name], isFolder: resource.isFolder, headers });
    }
  }

  async #isEmpty(folder: readonly string[]): Promise<boolean> {
    for await (const _ of (await this.#root.children(folder)) ?? []) return false;
    return true;
  }
}
