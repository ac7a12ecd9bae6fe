import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { namesOf } from "../names.ts";
import type { Content, GetOptions } from "../storage.ts";
import { asStorageError, type ErrorLocation, StorageError } from "../storage-error.ts";
import type { WebdavRoot } from "./webdav-root.ts";

/** Reads the properties first: they contain the size, and a GET of a folder can answer with a web page. */
export async function readOverWebdav(
  root: WebdavRoot,
  path: string,
  { range, signal }: GetOptions,
): Promise<Content> {
  signal?.throwIfAborted();
  const where = { place: root.place, path };
  const found = await root.inspect(path);
  signal?.throwIfAborted();
  if (!found) throw new StorageError("SOURCE_MISSING", where);
  if (found.isFolder) throw new StorageError("NOT_A_FILE", where);
  const size = found.size ?? 0;
  const start = Math.min(range?.start ?? 0, size);
  const end = Math.max(start, Math.min(range?.end ?? size, size));
  const length = end - start;
  if (length === 0) return { stream: Readable.from([]), size, length };
  const isWhole = length === size;
  const answer = await root.client.send({
    method: "GET",
    names: root.at(...namesOf(path)),
    headers: isWhole ? {} : { range: `bytes=${start}-${end - 1}` },
    signal,
  });
  // A server without support for ranges sends the whole file.
  const skip = !isWhole && answer.statusCode === 200 ? start : 0;
  const stream = Readable.from(bytesOf(answer, skip, length, where, signal), { objectMode: false });
  stream.once("close", () => answer.destroy());
  const abort = () => stream.destroy(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  stream.once("close", () => signal?.removeEventListener("abort", abort));
  return { stream, size, length };
}

/** The body with its errors translated. A body that ends early is an error. */
async function* bytesOf(
  answer: IncomingMessage,
  skip: number,
  length: number,
  where: ErrorLocation,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let [before, missing] = [skip, length];
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      const wanted = piece.subarray(before, before + missing);
      before = Math.max(0, before - piece.byteLength);
      missing -= wanted.byteLength;
      if (wanted.byteLength > 0) yield wanted;
      if (missing === 0) return;
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw asStorageError(error, where);
  }
  const reason = { en: "it became shorter", ko: "읽는 동안 짧아졌습니다" };
  throw new StorageError("SOURCE_CHANGED", { ...where, reason });
}
