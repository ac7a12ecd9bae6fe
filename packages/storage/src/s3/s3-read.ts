import { PassThrough, Readable } from "node:stream";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { Content, GetOptions } from "../storage.ts";
import { asStorageError, type ErrorLocation, StorageError } from "../storage-error.ts";
import type { Bucket } from "./bucket.ts";

export async function readObject(
  bucket: Bucket,
  path: string,
  { range, signal }: GetOptions,
): Promise<Content> {
  signal?.throwIfAborted();
  const where = { place: bucket.place, path };
  const key = bucket.keyOf(path);
  let header: string | undefined;
  let size: number | undefined;
  let length: number | undefined;
  if (range) {
    // S3 answers an empty range with an error, so the size is read first.
    const head = await bucket.head(key);
    if (!head) throw new StorageError("SOURCE_MISSING", where);
    size = head.ContentLength ?? 0;
    const start = Math.min(range.start, size);
    length = Math.max(0, Math.min(range.end, size) - start);
    if (length === 0) return { stream: Readable.from([]), size, length };
    header = `bytes=${start}-${start + length - 1}`;
  }
  const request = new GetObjectCommand({
    Bucket: bucket.name,
    Key: key,
    ...(header ? { Range: header } : {}),
  });
  const answer = await bucket.client.send(request, signal ? { abortSignal: signal } : {});
  const given = answer.ContentLength ?? 0;
  const body = answer.Body as Readable;
  if (length !== undefined && given !== length) {
    body.destroy();
    throw new StorageError("SOURCE_CHANGED", where);
  }
  return { stream: passedOn(body, where, signal), size: size ?? given, length: given };
}

/** The body with its errors translated. A connection that breaks halfway is an error, never a short file. */
function passedOn(body: Readable, where: ErrorLocation, signal: AbortSignal | undefined): Readable {
  const stream = new PassThrough({ highWaterMark: 256 * 1024 });
  const abort = () => stream.destroy(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  body.once("error", (error) => stream.destroy(asStorageError(error, where)));
  stream.once("close", () => {
    signal?.removeEventListener("abort", abort);
    body.destroy();
  });
  return body.pipe(stream);
}
