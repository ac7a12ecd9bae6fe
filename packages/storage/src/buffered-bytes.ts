import { type Duplex, finished, PassThrough, Readable } from "node:stream";

/** Files up to this size are held in memory and stored in one piece. */
export const SMALL_BYTES = 1024 * 1024;

/** A stream whose bytes are all in memory: a storage that can store them in one call does not read it in pieces. */
export class BufferedBytes extends Readable {
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

/**
 * Reads a stream of at most `SMALL_BYTES` to its end. A longer stream is piped into `through()` without loss.
 * Destroying that stream does not destroy the source, so the caller can still drain the source.
 */
export function bufferIfSmall(
  source: Readable,
  through: () => Duplex = () => new PassThrough(),
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const held: Buffer[] = [];
    let size = 0;
    const hold = (piece: Buffer) => {
      held.push(piece);
      size += piece.byteLength;
      if (size > SMALL_BYTES) goOn();
    };
    const forget = finished(source, { writable: false }, (error) => {
      if (error) reject(error);
      else resolve(new BufferedBytes(joined(held, size)));
    });
    const goOn = () => {
      source.off("data", hold);
      forget();
      const rest = through();
      source.once("error", (error) => rest.destroy(error));
      // The source can fail before anybody reads: without a listener, the error would end the process. A later reader
      // still gets it.
      rest.on("error", () => {});
      for (const piece of held) rest.write(piece);
      resolve(source.pipe(rest));
    };
    source.on("data", hold);
  });
}

/**
 * Copies the pieces into a buffer of their own. They are often views of larger buffers, which would be sent to a thread
 * whole.
 */
function joined(pieces: readonly Buffer[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
