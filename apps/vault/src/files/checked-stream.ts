import { createHash } from "node:crypto";
import { pipeline, type Readable, Transform, type TransformCallback } from "node:stream";
import { BufferedBytes, type Content, SMALL_BYTES, StorageError } from "@andon/storage";

interface Where {
  readonly place: string;
  readonly path: string;
}

/**
 * A whole file of the NAS, checked against its checksum: its bytes may have been changed without changing its size. A small file is
 * read before its first byte is sent; the result is undefined if it differs. A large file is known to differ only at its end: then
 * the stream fails before its last piece, so that no client takes it for complete.
 */
export async function checkedStream(
  { stream, size }: Content,
  sha256: string,
  where: Where,
): Promise<Readable | undefined> {
  if (size > SMALL_BYTES) {
    // The stream itself reports the error to its reader.
    return pipeline(stream, new Checking(sha256, where), () => {});
  }
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const found = createHash("sha256").update(bytes).digest("hex");
  return found === sha256 ? new BufferedBytes(bytes) : undefined;
}

/** Passes bytes on, always one piece behind, so that the last piece is sent only after the check. */
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
