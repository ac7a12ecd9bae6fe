import type { Readable } from "node:stream";
import { fingerprintOf, MeteredSource } from "../metered-source.ts";
import { temporaryName } from "../names.ts";
import { keptInPart, OTHER_BYTES, otherSize } from "../reasons.ts";
import type { Expected, Fingerprint, PutOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { readOverSftp } from "./sftp-read.ts";
import { inMadeFolder, renameWithoutOverwriting } from "./sftp-rename.ts";
import type { SftpRoot } from "./sftp-root.ts";
import type { SftpSession } from "./sftp-session.ts";
import { STATUS, statusOf } from "./sftp-status.ts";

/** The memory of a put is the number of pieces in flight × the size of a piece. */
const PIECE = 128 * 1024;
const IN_FLIGHT = 16;

/**
 * Writes beside the target under a temporary name, syncs if the server can, verifies, and only then gives the file its
 * name. Whenever this process or the server dies, the target is absent or complete; the next claim removes what stays
 * behind.
 */
export async function putOverSftp(
  root: SftpRoot,
  path: string,
  source: Readable,
  options: PutOptions,
  refuses: (session: SftpSession) => Promise<boolean>,
): Promise<Fingerprint> {
  const metered = new MeteredSource(source, options, { place: root.place, path });
  try {
    return await root.sessions.use(async (session) => {
      const target = await root.resolveForWriting(session, path);
      const already = await storedBefore(root, session, path, target, options);
      if (already) return already;
      const temporary = `${parentOf(target)}/${temporaryName(options.temporary)}`;
      let isNamed = false;
      try {
        await writeWhole(root, session, path, temporary, metered);
        const naming = { place: root.place, refuses: await refuses(session) };
        options.signal?.throwIfAborted();
        isNamed = await renameWithoutOverwriting(session, temporary, target, naming).catch(
          temporaryGone(root.place, path),
        );
        if (!isNamed) await mustBeSame(root, session, path, target, metered.fingerprint, options.signal);
      } finally {
        // The error is thrown below. If the temporary file cannot be removed either, the next claim removes it.
        if (!isNamed) await session.remove(temporary).catch(() => {});
      }
      return metered.fingerprint;
    }, options.signal);
  } catch (error) {
    if (metered.failure) throw metered.failure.error;
    if (options.signal?.aborted) throw options.signal.reason;
    throw await root.faultOf(error, path, "writing");
  } finally {
    metered.destroy();
  }
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** If the checksum is known beforehand, the file of an earlier run is recognised without sending it again. */
async function storedBefore(
  root: SftpRoot,
  session: SftpSession,
  path: string,
  target: string,
  { size, sha256, signal }: PutOptions,
): Promise<Fingerprint | undefined> {
  const info = await session.lstatIfAny(target);
  if (!info || sha256 === undefined) return undefined;
  const expected = { size: size ?? info.size, sha256 };
  await mustBeSame(root, session, path, target, expected, signal);
  return expected;
}

/** Throws `TARGET_EXISTS` unless the file at the target is the expected one. */
export async function mustBeSame(
  root: SftpRoot,
  session: SftpSession,
  path: string,
  target: string,
  expected: Expected,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = { place: root.place, path };
  const info = await session.lstatIfAny(target);
  if (!info?.isFile()) throw new StorageError("TARGET_EXISTS", where);
  if (info.size !== expected.size) {
    throw new StorageError("TARGET_EXISTS", { ...where, reason: otherSize(info.size, expected.size) });
  }
  if (expected.sha256 === undefined) return;
  const { sha256 } = await fingerprintOf((await readOverSftp(root, path, { signal })).stream);
  if (sha256 !== expected.sha256) throw new StorageError("TARGET_EXISTS", { ...where, reason: OTHER_BYTES });
}

async function writeWhole(
  root: SftpRoot,
  session: SftpSession,
  path: string,
  temporary: string,
  metered: MeteredSource,
): Promise<void> {
  const handle = await inMadeFolder(session, parentOf(temporary), () => create(session, temporary));
  let kept: number;
  try {
    await writeAll(session, handle, metered.chunks());
    await session.sync(handle);
    kept = (await session.fstat(handle)).size;
  } catch (error) {
    const problem = metered.failure ? error : await root.writeFault(session, error);
    await session.close(handle).catch(() => {});
    throw problem;
  }
  await session.close(handle);
  const expected = metered.fingerprint.size;
  if (kept !== expected) {
    const reason = keptInPart(kept, expected);
    throw new StorageError("CHECKSUM_MISMATCH", { place: root.place, path, reason });
  }
}

/** Replaces an existing temporary file: a failed put of the same claim leaves it behind if it cannot remove it. */
async function create(session: SftpSession, temporary: string): Promise<Buffer> {
  try {
    return await session.open(temporary, "wx");
  } catch (error) {
    if (!(await session.lstatIfAny(temporary))) throw error;
    await session.remove(temporary);
    return await session.open(temporary, "wx");
  }
}

/** Sends pieces without waiting for each answer: one round trip per piece would be most of the time. */
async function writeAll(session: SftpSession, handle: Buffer, chunks: AsyncIterable<Buffer>): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let position = 0;
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; at += PIECE) {
        const piece = chunk.subarray(at, at + PIECE);
        const written = session
          .write(handle, piece, position)
          .catch((error) => {
            failure ??= { error };
          })
          .finally(() => inFlight.delete(written));
        inFlight.add(written);
        position += piece.byteLength;
        if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight);
        if (failure) throw failure.error;
      }
    }
  } finally {
    await Promise.all(inFlight);
  }
  if (failure) throw failure.error;
}

function temporaryGone(place: string, path: string): (error: unknown) => never {
  return (error) => {
    if (statusOf(error) !== STATUS.NO_SUCH_FILE) throw error;
    throw new StorageError("TEMPORARY_GONE", { place, path }, { cause: error });
  };
}
