import { type Duplex, finished, PassThrough, Readable } from "node:stream";

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

/**
 * Reads a stream that ends soon to its end. One that does not goes on `through` another, with nothing lost; it is not
 * destroyed with that one, so that whoever gives it up can still read the rest away.
 */
export function inHandIfSmall(
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
      else resolve(new BytesInHand(joined(held, size)));
    });
    const goOn = () => {
      source.off("data", hold);
      forget();
      const rest = through();
      source.once("error", (error) => rest.destroy(error));
      // Nobody may be reading yet when the source breaks; whoever does then is told.
      rest.on("error", () => {});
      for (const piece of held) rest.write(piece);
      resolve(source.pipe(rest));
    };
    source.on("data", hold);
  });
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
