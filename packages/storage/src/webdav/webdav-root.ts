import { randomUUID } from "node:crypto";
import type { Localized } from "@andon/contract";
import { destinationFaultOf, isDoubtful } from "../faults.ts";
import { MARKER, namesOf, temporaryName } from "../names.ts";
import type { Entry } from "../storage.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import { namesOfHref, PROPERTIES, QUOTA, type Resource, readMultistatus } from "./multistatus.ts";
import { statusOf, textOf, type WebdavClient } from "./webdav-client.ts";
import type { WebdavAddress } from "./webdav-url.ts";

export type Use = "reading" | "writing";

/** One entry of a folder. */
export interface Child {
  readonly name: string;
  /** Whether a request can name it. */
  readonly isNameable: boolean;
  readonly resource: Resource;
}

/**
 * The root folder of a storage on a server, requests about paths in it, and the check that it is really there: a share
 * can be unmounted behind the server too. With a marker, the root is the right one while the marker has the content
 * seen first.
 */
export class WebdavRoot {
  readonly place: string;
  readonly client: WebdavClient;
  readonly #root: readonly string[];
  readonly #marked: boolean;
  #mark: string | undefined;

  constructor({ root, place }: WebdavAddress, client: WebdavClient, options: { marker: boolean }) {
    this.place = place;
    this.client = client;
    this.#root = root;
    this.#marked = options.marker;
  }

  get isMarked(): boolean {
    return this.#marked;
  }

  /** The names of the root itself, for creating it. */
  get names(): readonly string[] {
    return this.#root;
  }

  /** The names from the root of the server. Refuses a name that a URL cannot contain. */
  at(...names: readonly string[]): readonly string[] {
    const odd = names.find((name) => !name.isWellFormed());
    if (odd === undefined) return [...this.#root, ...names];
    throw new StorageError("NAME_REFUSED", { place: this.place, path: names.join("/") });
  }

  /** Throws a fault of the destination if this root is not the one seen first. Every write calls this first. */
  async check(): Promise<void> {
    try {
      if (this.#marked) await this.#checkMark();
      else if (!(await this.#inspect(this.#root, true))?.isFolder)
        throw this.#notMounted({ en: "it is not a folder", ko: "폴더가 아닙니다" });
    } catch (error) {
      const status = statusOf(error);
      if (this.#marked && (status === 404 || status === 409))
        throw this.#notMounted({ en: `it has no ${MARKER}`, ko: `${MARKER} 파일이 없습니다` }, error);
      throw this.#ownFault(error);
    }
  }

  /** Forgets the content of the marker. Call it after creating a new one. */
  forgetMark(): void {
    this.#mark = undefined;
  }

  /** Writes a temporary file in the root: only a write shows that a place is writable. */
  async probeWrite(): Promise<void> {
    const names = this.at(temporaryName(randomUUID()));
    try {
      await this.check();
      await this.client.do({ method: "PUT", names, body: "?" });
      await this.client.do({ method: "DELETE", names });
    } catch (error) {
      throw this.#ownFault(error);
    }
  }

  /** The resource at a path; undefined if there is none. */
  async inspect(path: string): Promise<Resource | undefined> {
    return await this.#inspect(this.at(...namesOf(path)), path === "");
  }

  async hasFolder(names: readonly string[]): Promise<boolean> {
    return (await this.#inspect(names, true))?.isFolder ?? false;
  }

  /** The entries of a folder, which the caller must read to their end; undefined if the folder is missing. */
  async children(names: readonly string[]): Promise<AsyncGenerator<Child> | undefined> {
    const headers = { depth: "1", "content-type": "application/xml" };
    try {
      const answer = await this.client.send({
        method: "PROPFIND",
        names,
        isFolder: true,
        headers,
        body: PROPERTIES,
      });
      return this.#childrenIn(readMultistatus(answer), names.length);
    } catch (error) {
      if (isNowhere(error)) return undefined;
      throw error;
    }
  }

  async freeSpace(): Promise<number | undefined> {
    const headers = { depth: "0", "content-type": "application/xml" };
    const answer = await this.client.send({
      method: "PROPFIND",
      names: this.#root,
      isFolder: true,
      headers,
      body: QUOTA,
    });
    let quota: number | undefined;
    for await (const resource of readMultistatus(answer)) quota ??= resource.quota;
    return quota;
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
      return this.#ownFault(sick);
    }
  }

  /**
   * The answer contains the folder itself too, with a shorter path. Other paths are refused (a proxy may rewrite them):
   * a folder that only seems to be empty would be removed.
   */
  async *#childrenIn(resources: AsyncIterable<Resource>, depth: number): AsyncGenerator<Child> {
    let isSeen = false;
    for await (const resource of resources) {
      const names = namesOfHref(resource.href);
      if (names.length === depth) {
        isSeen = true;
        continue;
      }
      if (names.length !== depth + 1) throw this.#otherPaths();
      const name = names.at(-1);
      const isNameable = name !== undefined && name !== "." && name !== ".." && !/[/\0]/.test(name);
      const raw = resource.href.split("/").findLast((part) => part !== "") ?? "";
      yield { name: isNameable ? name : raw, isNameable, resource };
    }
    if (!isSeen) throw this.#otherPaths();
  }

  #otherPaths(): StorageError {
    const reason: Localized = {
      en: "it describes other paths than it was asked for",
      ko: "요청한 경로가 아닌 다른 경로를 응답했습니다",
    };
    return new StorageError("NOT_SUPPORTED", { place: this.place, reason });
  }

  async #inspect(names: readonly string[], isFolder: boolean): Promise<Resource | undefined> {
    const headers = { depth: "0", "content-type": "application/xml" };
    try {
      const answer = await this.client.send({
        method: "PROPFIND",
        names,
        isFolder,
        headers,
        body: PROPERTIES,
      });
      let found: Resource | undefined;
      for await (const resource of readMultistatus(answer)) found ??= resource;
      return found;
    } catch (error) {
      if (isNowhere(error)) return undefined;
      throw error;
    }
  }

  async #checkMark(): Promise<void> {
    const text = await textOf(await this.client.send({ method: "GET", names: this.at(MARKER) }));
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
    return new StorageError(destinationFaultOf(code), { place: this.place, reason }, { cause: error });
  }

  #notMounted(reason: Localized, cause?: unknown): StorageError {
    return new StorageError("NOT_MOUNTED", { place: this.place, reason }, { cause });
  }
}

export function entryOf(kind: Entry["kind"], { size = 0, modifiedAt }: Resource): Entry {
  return { kind, size: kind === "folder" ? 0 : size, modifiedAt };
}

/** Whether an error means that nothing exists at a path: it or its folder is missing, or its name is too long. */
export function isNowhere(error: unknown): boolean {
  return [404, 409, 410, 414].includes(statusOf(error) ?? 0);
}
