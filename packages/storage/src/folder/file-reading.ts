import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { fingerprintOf } from "../metered-source.ts";
import type { Content, Fingerprint, GetOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Root } from "./root.ts";
import { SAFELY } from "./root-identity.ts";

const CHUNK = 256 * 1024;

/** Opens a regular file to read; links, pipes and devices are refused. */
export async function readFileAt(
  root: Root,
  path: string,
  file: string,
  { range, signal }: GetOptions,
): Promise<Content> {
  signal?.throwIfAborted();
  const handle = await open(file, constants.O_RDONLY | SAFELY);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new StorageError("NOT_A_FILE", { place: root.place, path });
    const size = info.size;
    const start = Math.min(range?.start ?? 0, size);
    const end = Math.max(start, Math.min(range?.end ?? size, size));
    const stream = new FileReading(handle, { root, path, start, end, signal });
    return { stream, size, length: end - start };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The size and checksum of a file, read without following links. */
export async function fingerprintAt(
  root: Root,
  path: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<Fingerprint> {
  const { stream } = await readFileAt(root, path, file, { signal });
  return await fingerprintOf(stream);
}

interface Reading {
  readonly root: Root;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * A stream of an open file. Node's own stream gives raw errors and ends silently when the file is shortened meanwhile;
 * this one fails with a `StorageError` in both cases, and always closes the file.
 */
class FileReading extends Readable {
  readonly #handle: FileHandle;
  readonly #reading: Reading;
  #at: number;

  constructor(handle: FileHandle, reading: Reading) {
    super({ highWaterMark: CHUNK, ...(reading.signal ? { signal: reading.signal } : {}) });
    this.#handle = handle;
    this.#reading = reading;
    this.#at = reading.start;
  }

  override _read(): void {
    void this.#next().then(
      (chunk) => this.push(chunk),
      async (error) => this.destroy(await this.#reading.root.faultOf(error, this.#reading.path, "reading")),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const { signal } = this.#reading;
    const outcome = signal?.aborted && error ? signal.reason : error;
    void this.#handle.close().then(
      () => callback(outcome),
      (failure) => callback(outcome ?? failure),
    );
  }

  async #next(): Promise<Buffer | null> {
    const { root, path, end } = this.#reading;
    const length = Math.min(CHUNK, end - this.#at);
    if (length === 0) return null;
    const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, this.#at);
    if (bytesRead === 0) {
      const reason = { en: "it became shorter", ko: "읽는 동안 짧아졌습니다" };
      throw new StorageError("SOURCE_CHANGED", { place: root.place, path, reason });
    }
    this.#at += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}
