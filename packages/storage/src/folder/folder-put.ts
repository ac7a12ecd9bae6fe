import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { BufferedBytes } from "../buffered-bytes.ts";
import { MeteredSource } from "../metered-source.ts";
import { temporaryName, writableNamesOf } from "../names.ts";
import { keptInPart, OTHER_BYTES, otherSize } from "../reasons.ts";
import type { Expected, Fingerprint, PutOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { fingerprintAt } from "./file-reading.ts";
import { errnoOf, inMadeFolder, lstatIfAny, syncFolder } from "./folder-calls.ts";
import { renameWithoutOverwriting } from "./rename-without-overwriting.ts";
import type { Root } from "./root.ts";
import { SAFELY } from "./root-identity.ts";
import type { SmallFileThreads } from "./small-file-threads.ts";

/**
 * Writes beside the target under a temporary name, syncs, verifies, and only then gives the file its name. Whenever the
 * process dies, the target is absent or complete; only the temporary file stays behind, and the next claim removes it.
 */
export async function putIntoFolder(
  root: Root,
  smallFiles: SmallFileThreads,
  path: string,
  source: Readable,
  options: PutOptions,
): Promise<Fingerprint> {
  const metered = new MeteredSource(source, options, { place: root.place, path });
  try {
    const stored =
      source instanceof BufferedBytes && (await putOnThread(root, smallFiles, path, source.bytes, options));
    if (stored) return stored;
    const target = await root.resolveForWriting(path);
    const already = await storedBefore(root, path, target, options);
    if (already) return already;
    const temporary = join(dirname(target), temporaryName(options.temporary));
    try {
      await writeDurably(temporary, metered, root.place, path);
      options.signal?.throwIfAborted();
      if (!(await renameWithoutOverwriting(temporary, target).catch(temporaryGone(root.place, path)))) {
        await mustBeSame(root, path, target, metered.fingerprint, options.signal);
      }
    } finally {
      // The error is thrown below. If the temporary file cannot be removed either, the next claim removes it.
      await rm(temporary, { force: true }).catch(() => {});
    }
    await syncFolder(dirname(target));
    return metered.fingerprint;
  } catch (error) {
    if (metered.failure) throw metered.failure.error;
    if (options.signal?.aborted) throw options.signal.reason;
    throw await root.faultOf(error, path, "writing");
  } finally {
    metered.destroy();
  }
}

async function putOnThread(
  root: Root,
  smallFiles: SmallFileThreads,
  path: string,
  bytes: Uint8Array,
  { size = bytes.byteLength, sha256, temporary, signal }: PutOptions,
): Promise<Fingerprint | undefined> {
  const target = join(root.folder, ...writableNamesOf(path));
  const { identity } = root;
  if (!identity || size !== bytes.byteLength) return undefined;
  signal?.throwIfAborted();
  const beside = join(dirname(target), temporaryName(temporary));
  const answer = await smallFiles.put(identity, { temporary: beside, target, bytes, sha256 }, signal);
  signal?.throwIfAborted();
  if (answer === "temporary-gone") throw new StorageError("TEMPORARY_GONE", { place: root.place, path });
  return answer && { size, sha256: answer.sha256 };
}

/** If the checksum is known beforehand, the file of an earlier run is recognised without writing it again. */
async function storedBefore(
  root: Root,
  path: string,
  target: string,
  { size, sha256, signal }: PutOptions,
): Promise<Fingerprint | undefined> {
  const info = await lstatIfAny(target);
  if (!info || sha256 === undefined) return undefined;
  const expected = { size: size ?? Number(info.size), sha256 };
  await mustBeSame(root, path, target, expected, signal);
  // The earlier run may have died before its own sync.
  await syncFolder(dirname(target));
  return expected;
}

/** Throws `TARGET_EXISTS` unless the file at the target is the expected one. */
export async function mustBeSame(
  root: Root,
  path: string,
  target: string,
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = { place: root.place, path };
  const info = await lstatIfAny(target);
  if (!info?.isFile()) throw new StorageError("TARGET_EXISTS", where);
  if (Number(info.size) !== expected.size) {
    throw new StorageError("TARGET_EXISTS", { ...where, reason: otherSize(info.size, expected.size) });
  }
  if (expected.sha256 === undefined) return;
  const { sha256 } = await fingerprintAt(root, path, target, signal);
  if (sha256 !== expected.sha256) throw new StorageError("TARGET_EXISTS", { ...where, reason: OTHER_BYTES });
}

async function writeDurably(
  temporary: string,
  metered: MeteredSource,
  place: string,
  path: string,
): Promise<void> {
  const handle = await create(temporary);
  try {
    for await (const chunk of metered.chunks()) await writeAll(handle, chunk);
    await handle.sync();
    const { size } = await handle.stat();
    const expected = metered.fingerprint.size;
    if (size !== expected) {
      throw new StorageError("CHECKSUM_MISMATCH", {
        place,
        path,
        reason: keptInPart(size, expected),
      });
    }
  } finally {
    await handle.close();
  }
}

async function create(temporary: string): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | SAFELY;
  return await inMadeFolder(dirname(temporary), async () => {
    // A failed put of the same claim leaves its temporary file behind if it cannot remove it.
    await rm(temporary, { force: true });
    return await open(temporary, flags, 0o664);
  });
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  let written = 0;
  while (written < chunk.byteLength) {
    written += (await handle.write(chunk, written, chunk.byteLength - written)).bytesWritten;
  }
}

function temporaryGone(place: string, path: string): (error: unknown) => never {
  return (error) => {
    if (errnoOf(error) !== "ENOENT") throw error;
    throw new StorageError("TEMPORARY_GONE", { place, path }, { cause: error });
  };
}
