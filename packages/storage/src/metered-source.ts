import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Localized } from "@andon/contract";
import type { Fingerprint, PutOptions } from "./storage.ts";
import { StorageError, type Whereabouts } from "./storage-error.ts";

/**
 * The bytes on their way into a place: counted, hashed, and held against what was promised before the last of them is
 * let through, so that a driver which finishes at the end of the stream never finishes the wrong bytes.
 */
export class MeteredSource {
  readonly #source: Readable;
  readonly #options: PutOptions;
  readonly #where: Whereabouts;
  #size = 0;
  #fingerprint: Fingerprint | undefined;

  /** The source's own failure (or the caller's abort): not this place's fault, so it must not be read as such. */
  failure: { readonly error: unknown } | undefined;

  constructor(source: Readable, options: PutOptions, where: Whereabouts) {
    this.#source = source;
    this.#options = options;
    this.#where = where;
    // A source may fail before it is read; the failure comes out when it is, and until then it must not end the process.
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

  /** Ends the source where it is not needed any more. */
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

/** What a source gives, up to an abort: then its reason is thrown at once, also where the source itself is stuck. */
async function* untilAborted(source: Readable, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  if (!signal) return yield* source;
  signal.throwIfAborted();
  const pieces = source[Symbol.asyncIterator]();
  let abort = () => {};
  const onAbort = () => abort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      // One promise per piece: a race with one that lasts as long as the source would keep every piece until then.
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
