import type { Readable } from "node:stream";
import { fingerprintOf } from "../metered-source.ts";
import { isOwn, namesOf, removableNamesOf, writableNamesOf } from "../names.ts";
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
import { Bucket } from "./bucket.ts";
import { overwritingOf } from "./overwriting.ts";
import { listObjects } from "./s3-list.ts";
import { moveEmptyPrefix, moveObject, removeEmptyPrefix } from "./s3-move.ts";
import { putObject } from "./s3-put.ts";
import { readObject } from "./s3-read.ts";
import { abortUploads } from "./s3-upload.ts";
import { parseS3Url, type S3Address } from "./s3-url.ts";

export function openS3(url: string): S3Storage {
  return new S3Storage(parseS3Url(url));
}

/** A bucket of S3 or of a compatible server. */
export class S3Storage implements Storage {
  readonly place: string;
  readonly #bucket: Bucket;
  readonly #largestCopy: number | undefined;
  #overwriting: Promise<Capabilities["overwriting"]> | undefined;

  /** `largestCopy`: the size above which a move copies through this process, for servers with a lower limit than S3. */
  constructor(address: S3Address, options: { largestCopy?: number } = {}) {
    this.#bucket = new Bucket(address);
    this.place = this.#bucket.place;
    this.#largestCopy = options.largestCopy;
  }

  async capabilities(): Promise<Capabilities> {
    return await this.#guarded("", async () => ({
      overwriting: await this.#askOverwriting(),
      folders: "implied",
    }));
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    return await putObject(this.#bucket, path, source, options, () => this.#isConditional());
  }

  /**
   * Unfinished uploads have no names in S3, so all uploads to the path are aborted. That is safe because jobs of one
   * path run one after another.
   */
  async removeTemporaries(path: string): Promise<void> {
    await this.#guarded(path, async () => {
      writableNamesOf(path);
      await abortUploads(this.#bucket, this.#bucket.keyOf(path));
    });
  }

  async get(path: string, options: GetOptions = {}): Promise<Content> {
    return await this.#guarded(
      path,
      async () => {
        this.#mustBeFilePath(path);
        return await readObject(this.#bucket, path, options);
      },
      options.signal,
    );
  }

  async stat(path: string): Promise<Entry | undefined> {
    return await this.#guarded(path, async () => {
      namesOf(path);
      const head = path === "" ? undefined : await this.#bucket.head(this.#bucket.keyOf(path));
      if (head) {
        const modifiedAt = head.LastModified?.getTime() ?? 0;
        return { kind: isOwn(path) ? "own" : "file", size: head.ContentLength ?? 0, modifiedAt };
      }
      const inside = await this.#bucket.someKeys(this.#bucket.keyOf(path === "" ? "" : `${path}/`));
      return path === "" || inside.length > 0 ? { kind: "folder", size: 0, modifiedAt: 0 } : undefined;
    });
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return await this.#guarded(
      path,
      async () => {
        this.#mustBeFilePath(path);
        return await fingerprintOf((await readObject(this.#bucket, path, { signal })).stream);
      },
      signal,
    );
  }

  async *list(folder: string, options: { recursive?: boolean } = {}): AsyncGenerator<Listed> {
    try {
      namesOf(folder);
      yield* listObjects(this.#bucket, folder, options.recursive ?? false);
    } catch (error) {
      throw await this.#bucket.faultOf(error, folder);
    }
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await this.#guarded(
      from,
      async () => {
        const conditional = await this.#isConditional();
        await moveObject(this.#bucket, from, to, expected, {
          conditional,
          largestCopy: this.#largestCopy,
          signal,
        });
      },
      signal,
    );
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#guarded(
      path,
      async () => {
        removableNamesOf(path);
        await this.#bucket.delete(this.#bucket.keyOf(path), signal);
      },
      signal,
    );
  }

  async makeFolder(path: string): Promise<void> {
    await this.#guarded(path, async () => {
      writableNamesOf(path);
      await this.#bucket.putEmpty(this.#bucket.keyOf(`${path}/`));
    });
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await this.#guarded(from, () => moveEmptyPrefix(this.#bucket, from, to));
  }

  async removeFolderIfEmpty(path: string, options: { upwards?: boolean } = {}): Promise<boolean> {
    return await this.#guarded(path, () => removeEmptyPrefix(this.#bucket, path, options.upwards ?? false));
  }

  async freeSpace(): Promise<undefined> {}

  async health(): Promise<Health> {
    try {
      await this.#bucket.check();
      return { ok: true };
    } catch (error) {
      return { ok: false, problem: error as StorageError };
    }
  }

  /** A bucket needs no marker: a missing bucket is an error, never an empty folder. */
  async initMarker(): Promise<void> {}

  async close(): Promise<void> {
    this.#bucket.client.destroy();
  }

  async #isConditional(): Promise<boolean> {
    return (await this.#askOverwriting()) === "refused";
  }

  /** Finds out once; after a failure, the next call tries again. */
  async #askOverwriting(): Promise<Capabilities["overwriting"]> {
    this.#overwriting ??= overwritingOf(this.#bucket);
    try {
      return await this.#overwriting;
    } catch (error) {
      this.#overwriting = undefined;
      throw error;
    }
  }

  #mustBeFilePath(path: string): void {
    if (namesOf(path).length === 0) throw new StorageError("NOT_A_FILE", { place: this.place, path: "/" });
  }

  async #guarded<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw await this.#bucket.faultOf(error, path);
    }
  }
}
