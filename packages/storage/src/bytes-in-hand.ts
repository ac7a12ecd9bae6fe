import { Readable } from "node:stream";

/** Files up to this size are held in memory and go as one piece. */
export const SMALL_BYTES = 1024 * 1024;

/** A stream whose bytes are all there: a place that can store them in one go need not read it piece by piece. */
export class BytesInHand extends Readable {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  override _read(): void {
    this.push(this.bytes);
    this.push(null);
  }
}

/** Reads a stream that ends soon to its end. Of one that does not, nothing is lost. */
export async function inHandIfSmall(source: Readable): Promise<Readable> {
  const pieces = source[Symbol.asyncIterator]() as AsyncGenerator<Buffer>;
  const held: Buffer[] = [];
  for (let size = 0; size <= SMALL_BYTES; ) {
    const { done, value } = await pieces.next();
    if (done) return new BytesInHand(joined(held, size));
    held.push(value);
    size += value.byteLength;
  }
  const all = async function* () {
    yield* held;
    yield* pieces;
  };
  return Readable.from(all(), { objectMode: false });
}

/** In a buffer of their own: pieces are often parts of larger ones, which would go to a thread as a whole. */
function joined(pieces: readonly Buffer[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
