import { createHash } from "node:crypto";
import { pipeline, type Readable, Transform, type TransformCallback } from "node:stream";
import { BytesInHand, type Content, SMALL_BYTES, StorageError } from "@andon/storage";

interface Where {
  readonly place: string;
  readonly path: string;
}

/**
 * A whole file of the NAS, where somebody may have changed bytes and left their number as it was. Undefined where a small one,
 * read before its first byte goes out, is not what its checksum says. A large one is found out at its end only: then it fails before its last piece, so that nobody takes
 * it for whole.
 */
export async function checkedStream(
  { stream, size }: Content,
  sha256: string,
  where: Where,
): Promise<Readable | undefined> {
  if (size > SMALL_BYTES) {
    // Whoever reads is told of a fault by the stream itself.
    return pipeline(stream, new Checking(sha256, where), () => {});
  }
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const found = createHash("sha256").update(bytes).digest("hex");
  return found === sha256 ? new BytesInHand(bytes) : undefined;
}

/** Lets bytes through, always one piece behind. */
class Checking extends Transform {
  readonly #expected: string;
  readonly #where: Where;
  readonly #hash = createHash("sha256");
  #held: Buffer | undefined;

  constructor(expected: string, where: Where) {
    super();
    this.#expected = expected;
    this.#where = where;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(piece);
    const before = this.#held;
    this.#held = piece;
    done(null, before);
  }

  override _flush(done: TransformCallback): void {
    const reason = { en: "its checksum is another one", ko: "체크섬이 다릅니다" };
    if (this.#hash.digest("hex") === this.#expected) done(null, this.#held);
    else done(new StorageError("SOURCE_CHANGED", { ...this.#where, reason }));
  }
}
