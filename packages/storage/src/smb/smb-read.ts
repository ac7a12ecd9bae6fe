import { PassThrough, Readable } from "node:stream";
import { BufferedBytes, SMALL_BYTES } from "../buffered-bytes.ts";
import { otherSize } from "../reasons.ts";
import type { Content, Entry, GetOptions } from "../storage.ts";
import { asStorageError, StorageError } from "../storage-error.ts";
import type { Share } from "./share.ts";

export async function readFromShare(
  share: Share,
  path: string,
  { range, signal }: GetOptions,
): Promise<Content> {
  signal?.throwIfAborted();
  const names = share.namesOf(path);
  const { size } = await fileAt(share, path, names);
  signal?.throwIfAborted();
  const start = Math.min(range?.start ?? 0, size);
  const end = Math.max(start, Math.min(range?.end ?? size, size));
  const length = end - start;
  if (length === 0) return { stream: Readable.from([]), size, length };
  if (size <= SMALL_BYTES) {
    const bytes = await share.getSmall(names, signal);
    if (bytes.byteLength !== size) throw changed(share, path, bytes.byteLength, size);
    return { stream: new BufferedBytes(bytes.subarray(start, end)), size, length };
  }
  return { stream: await streamOf(share, path, names, { size, start, end }, signal), size, length };
}

async function fileAt(share: Share, path: string, names: readonly string[]): Promise<Entry> {
  const where = { place: share.place, path: path || "/" };
  const entry = names.length === 0 ? undefined : await share.look(names);
  if (names.length > 0 && !entry) throw new StorageError("SOURCE_MISSING", where);
  if (entry?.kind === "file" || entry?.kind === "own") return entry;
  throw new StorageError("NOT_A_FILE", where);
}

/**
 * smbclient reads a file from its start, so the bytes before a range are read and dropped. The bytes after it are not
 * read.
 */
async function streamOf(
  share: Share,
  path: string,
  names: readonly string[],
  { size, start, end }: { size: number; start: number; end: number },
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const session = await share.sessions.lend(signal);
  const stream = new PassThrough({ highWaterMark: 256 * 1024 });
  // The session can fail before anybody reads: without a listener, the error would end the process. A later reader
  // still gets it.
  stream.on("error", () => {});
  let at = 0;
  const take = (bytes: Buffer): Promise<void> | undefined => {
    const piece = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at));
    at += bytes.byteLength;
    const hasRoom = piece.byteLength === 0 || stream.write(piece);
    if (at >= end && end < size) stream.end();
    return hasRoom ? undefined : new Promise((resolve) => stream.once("drain", resolve));
  };
  const abort = () => stream.destroy(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  let isThrough = false;
  stream.once("close", () => {
    signal?.removeEventListener("abort", abort);
    if (!isThrough) session.kill();
    share.sessions.giveBack(session);
  });
  session.read(share.getCommand(names), take).then(
    (read) => {
      isThrough = true;
      if (read !== size) stream.destroy(changed(share, path, read, size));
      else if (!stream.writableEnded) stream.end();
    },
    (error) => stream.destroy(asStorageError(error, { place: share.place, path })),
  );
  return stream;
}

function changed(share: Share, path: string, found: number, expected: number): StorageError {
  const reason = otherSize(found, expected);
  return new StorageError("SOURCE_CHANGED", { place: share.place, path, reason });
}
