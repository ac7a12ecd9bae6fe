import type { Readable } from "node:stream";

/** From `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * An answer of bytes instead of JSON. The request decides which part is sent (a range, or none if the caller has a copy
 * already), so they are opened only then.
 */
export class Bytes {
  /** Opens this part of them, or all. An error that it throws becomes the answer. */
  readonly open: (part: ByteRange | undefined) => Promise<Readable>;
  readonly mimeType: string;
  readonly size: number;
  readonly fileName: string;
  /** Equal for equal bytes. */
  readonly tag: string;

  constructor(bytes: Pick<Bytes, "open" | "mimeType" | "size" | "fileName" | "tag">) {
    this.open = bytes.open;
    this.mimeType = bytes.mimeType;
    this.size = bytes.size;
    this.fileName = bytes.fileName;
    this.tag = bytes.tag;
  }
}
