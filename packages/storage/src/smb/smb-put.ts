import type { Readable } from "node:stream";
import { SMALL_BYTES } from "../buffered-bytes.ts";
import { MeteredSource } from "../metered-source.ts";
import { temporaryName } from "../names.ts";
import { keptInPart } from "../reasons.ts";
import type { Fingerprint, PutOptions } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Share } from "./share.ts";
import { hasStatus } from "./smb-error.ts";
import { renameWithoutOverwriting } from "./smb-rename.ts";
import { mustBeSame } from "./smb-same.ts";
import { uploadToShare } from "./smb-upload.ts";

/**
 * Writes beside the target under a temporary name, verifies, and only then gives the file its name. Whenever a process
 * or a connection dies, the target is absent or complete; only the temporary file stays behind, and the next claim
 * removes it.
 */
export async function putOnShare(
  share: Share,
  path: string,
  source: Readable,
  options: PutOptions,
): Promise<Fingerprint> {
  const { signal } = options;
  const metered = new MeteredSource(source, options, { place: share.place, path });
  try {
    const names = share.writableNamesOf(path);
    const temporary = [...names.slice(0, -1), temporaryName(options.temporary)];
    await share.check(signal);
    const start = await startOf(metered.chunks());
    if (start.rest) {
      const already = await storedBefore(share, path, names, options);
      if (already) return already;
    }
    let isNamed = false;
    try {
      await write(share, temporary, start, signal);
      await mustHaveSize(share, path, temporary, metered.fingerprint.size);
      signal?.throwIfAborted();
      isNamed = await renameWithoutOverwriting(share, temporary, names, signal).catch(
        temporaryGone(share, path),
      );
      if (!isNamed) await mustBeSame(share, path, names, metered.fingerprint, signal);
    } finally {
      if (!isNamed) await tidyUp(share, temporary);
    }
    return metered.fingerprint;
  } catch (error) {
    if (metered.failure) throw metered.failure.error;
    if (signal?.aborted) throw signal.reason;
    throw await share.faultOf(error, path, "writing");
  } finally {
    metered.destroy();
  }
}

/** The first bytes of a source, and the rest of it if it is larger than `SMALL_BYTES`. */
interface Start {
  readonly held: readonly Buffer[];
  readonly rest: AsyncIterator<Buffer> | undefined;
}

async function startOf(chunks: AsyncIterator<Buffer>): Promise<Start> {
  const held: Buffer[] = [];
  for (let size = 0; size <= SMALL_BYTES; ) {
    const { done, value } = await chunks.next();
    if (done) return { held, rest: undefined };
    held.push(value);
    size += value.byteLength;
  }
  return { held, rest: chunks };
}

async function* piecesOf({ held, rest }: Start): AsyncGenerator<Buffer> {
  yield* held;
  for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) yield next.value;
}

/** A large file is created empty first: a folder that is not empty is not pruned while the bytes arrive. */
async function write(
  share: Share,
  temporary: readonly string[],
  start: Start,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = temporary.slice(0, -1);
  const first = start.rest ? new Uint8Array() : Buffer.concat(start.held);
  await share.inMadeFolder(folder, () => share.putSmall(temporary, first, signal));
  if (start.rest) await uploadToShare(share, folder, temporary.at(-1) as string, piecesOf(start), signal);
}

async function mustHaveSize(
  share: Share,
  path: string,
  temporary: readonly string[],
  expected: number,
): Promise<void> {
  const entry = await share.look(temporary);
  if (!entry) throw new StorageError("TEMPORARY_GONE", { place: share.place, path });
  if (entry.size === expected) return;
  const reason = keptInPart(entry.size, expected);
  throw new StorageError("CHECKSUM_MISMATCH", { place: share.place, path, reason });
}

/** If the checksum is known beforehand, the file of an earlier run is recognised without sending it again. */
async function storedBefore(
  share: Share,
  path: string,
  names: readonly string[],
  { size, sha256, signal }: PutOptions,
): Promise<Fingerprint | undefined> {
  const entry = sha256 === undefined ? undefined : await share.look(names);
  if (!entry || sha256 === undefined) return undefined;
  const expected = { size: size ?? entry.size, sha256 };
  await mustBeSame(share, path, names, expected, signal);
  return expected;
}

function temporaryGone(share: Share, path: string): (error: unknown) => never {
  return (error) => {
    if (!hasStatus(error, "OBJECT_NAME_NOT_FOUND")) throw error;
    throw new StorageError("TEMPORARY_GONE", { place: share.place, path }, { cause: error });
  };
}

/** The caller throws the original error. If the temporary file cannot be removed either, the next claim removes it. */
async function tidyUp(share: Share, temporary: readonly string[]): Promise<void> {
  await share.run(`del ${share.quoted(temporary)}`).catch(() => {});
}
