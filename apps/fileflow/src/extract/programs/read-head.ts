import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { extractFailure } from "../extract-failure.ts";

/** Enough to tell the type and the encoding of a file. */
export const HEAD_BYTES = 2 ** 16;

/** The beginning of a file, and its whole size. */
export function readHead(file: string): { head: Buffer; size: number } {
  refuseSpecial(file);
  const opened = openSync(file, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(opened, head, 0, HEAD_BYTES, 0);
    return { head: head.subarray(0, length), size: fstatSync(opened).size };
  } finally {
    closeSync(opened);
  }
}

/** Opening a pipe or a device would block forever. */
export function refuseSpecial(file: string): void {
  if (!statSync(file).isFile()) throw extractFailure("EXTRACT_UNSUPPORTED", "not a regular file");
}
