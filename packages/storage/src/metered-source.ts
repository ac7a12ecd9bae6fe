import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Localized } from "@andon/contract";
import type { Fingerprint, PutOptions } from "./storage.ts";
import { type ErrorLocation, StorageError } from "./storage-error.ts";

/**
 * The bytes on their way into a storage: counted, hashed, and compared with the promised size and checksum before the
 * stream ends. A driver that finishes at the end of the stream therefore never stores wrong bytes.
 */
export class MeteredSource {
  readonly #source: Readable;
  readonly #options: PutOptions;
  readonly #where: ErrorLocation;
  #size = 0;
  #fingerprint: Fingerprint | undefined;

  /**
   * The failure of the source, also wrong bytes or the caller's abort. It is not a fault of the storage and must not be
   * translated into one.
   */
  failure: { readonly error: unknown } | undefined;

  constructor(source: Readable, options: PutOptions, where: ErrorLocation) {
    this.#source = source;
    this.#options = options;
    this.#where = where;
    // A source can fail before it is read. Reading it reports the failure; until then the error must not end the
    // process.
    source.on("error", () => {});
  }

  get fingerprint(): Fingerprint {
    if (!this.#fingerprint) throw new Error("the source has not been read to its end");
    return this.#fingerprint;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const { signal, onProgress, size } = this.#options;
    const hash = createHash("sha256");
    try {
      for await (const piece of untilAborted(this.#source, signal)) {
        const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece as string);
        this.#size += chunk.byteLength;
        if (size !== undefined && this.#size > size)
          throw this.#mismatch({ en: `more than ${size} bytes came`, ko: `${size}바이트보다 많이 왔습니다` });
        hash.update(chunk);
        yield chunk;
        onProgress?.(this.#size);
      }
      this.#fingerprint = this.#verified({ size: this.#size, sha256: hash.digest("hex") });
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  destroy(): void {
    this.#source.destroy();
  }

  #verified(actual: Fingerprint): Fingerprint {
    const { size, sha256 } = this.#options;
    if (size !== undefined && size !== actual.size) {
      throw this.#mismatch({
        en: `${actual.size} bytes came, ${size} were promised`,
        ko: `${size}바이트여야 하는데 ${actual.size}바이트가 왔습니다`,
      });
    }
    if (sha256 !== undefined && sha256 !== actual.sha256) {
      throw this.#mismatch({
        en: `their SHA-256 is ${actual.sha256}, ${sha256} was promised`,
        ko: `SHA-256이 ${sha256}이어야 하는데 ${actual.sha256}입니다`,
      });
    }
    return actual;
  }

  #mismatch(reason: Localized): StorageError {
    return new StorageError("CHECKSUM_MISMATCH", { ...this.#where, reason });
  }
}

/** The chunks of a source until the signal aborts. The abort reason is thrown at once, even if the source hangs. */
async function* untilAborted(source: Readable, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  if (!signal) return yield* source;
  signal.throwIfAborted();
  const pieces = source[Symbol.asyncIterator]();
  let abort = () => {};
  const onAbort = () => abort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      // One promise per chunk: a race with a promise that lives as long as the source would keep every chunk in memory.
      const { done, value } = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        abort = () => reject(signal.reason);
        pieces.next().then(resolve, reject);
      });
      if (done) return;
      yield value;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The fingerprint of a stream, which is read to its end. */
export async function fingerprintOf(stream: Readable): Promise<Fingerprint> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    hash.update(chunk);
  }
  return { size, sha256: hash.digest("hex") };
}
