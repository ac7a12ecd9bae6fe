import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { ToProcess } from "../messages.ts";
import type { ExtractResult } from "../port.ts";
import { detectType } from "./detect-type.ts";
import { HEAD_BYTES, refuseSpecial } from "./read-head.ts";

const CHUNK = 2 ** 20;

/** Type by content, size and checksum, in one pass over the file and with the memory of one chunk. */
export async function probe({ request: { file } }: ToProcess): Promise<ExtractResult> {
  refuseSpecial(file);
  const hash = createHash("sha256");
  let size = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    hash.update(chunk);
    size += chunk.length;
  }
  const mimeType = await detectType(file, head, size);
  return { mimeType, size, sha256: hash.digest("hex"), method: "content" };
}
