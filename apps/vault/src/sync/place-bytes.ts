import type { Readable } from "node:stream";
import { errorMessage, type Localized } from "@andon/contract";
import { Unretryable } from "@andon/engine";
import { BufferedBytes, type Fingerprint, isStorageError, otherSize, StorageError } from "@andon/storage";
import { VAULT_ERRORS } from "../contract/errors.ts";
import { finishMoveByHand, quarantine } from "./clear-nas-path.ts";
import { hasBytes } from "./inspect-nas-path.ts";
import { locateOnNas } from "./locate-on-nas.ts";
import type { OperationRun } from "./operation-run.ts";
import type { NasObject } from "./storage-object.ts";

/**
 * Brings a file's bytes to the target of its operation: from their known path on the NAS; else they are at the target
 * already, because an earlier run of this operation ended before its commit; else from the cache. Running it again
 * after a crash has the same result. Nothing is ever overwritten, not even an empty folder at the target, which may be
 * somebody's.
 */
export async function placeBytes(run: OperationRun, object: NasObject, target: string): Promise<void> {
  const { nas } = run.vault;
  // Only a repeated claim can have leftovers, and finding them lists the whole folder.
  if (run.fence > 1) await nas.removeTemporaries(target, run.temporary);
  await place(run, object, target);
}

async function place(run: OperationRun, object: NasObject, target: string): Promise<void> {
  const from = await locateOnNas(run, object, target);
  if (from !== undefined) {
    run.signal.throwIfAborted();
    await moveBytes(run, from, target);
    return mustBeAt(run, target);
  }
  await fromCache(run, object, target);
}

/** The file at the target can be a person's copy of exactly these bytes. */
async function moveBytes(run: OperationRun, from: string, target: string): Promise<void> {
  try {
    await run.vault.nas.move(from, target, expectedOf(run), run.signal);
  } catch (error) {
    if (!isStorageError(error, "TARGET_EXISTS") || !(await finishMoveByHand(run, from, target))) throw error;
  }
}

async function mustBeAt(run: OperationRun, path: string): Promise<void> {
  const { nas } = run.vault;
  const { size } = run.job.payload;
  const entry = await nas.stat(path);
  if (entry?.kind === "file" && entry.size === size) return;
  const reason = entry
    ? otherSize(entry.size, size)
    : { en: "it is gone after its move", ko: "옮긴 뒤 사라졌습니다" };
  throw new StorageError("SOURCE_CHANGED", { place: nas.place, path, reason });
}

async function fromCache(run: OperationRun, object: NasObject, target: string): Promise<void> {
  const { vault, job, signal, temporary, readOptions, fence } = run;
  const { replaces } = job.payload;
  const stream = await cached(run, object);
  // A put recognises its own bytes at the target, but reports no progress while it compares: they may be large.
  const mayBeThere = fence > 1 || replaces || !stream;
  try {
    if (mayBeThere && (await hasBytes(vault.nas, target, expectedOf(run), readOptions))) return;
    if (!stream) throw new BytesMissing();
    if (replaces) await quarantine(run, target);
    const { onProgress } = readOptions;
    await vault.nas.put(target, stream, { ...expectedOf(run), temporary, signal, onProgress });
  } finally {
    stream?.destroy();
  }
}

async function cached(
  { vault, signal }: OperationRun,
  { cachePath, bytes }: NasObject,
): Promise<Readable | undefined> {
  if (bytes) return new BufferedBytes(bytes);
  if (cachePath === null) return undefined;
  try {
    return (await vault.cache.get(cachePath, { signal })).stream;
  } catch (error) {
    if (isStorageError(error, "SOURCE_MISSING")) return undefined;
    throw error;
  }
}

function expectedOf({ job }: OperationRun): Fingerprint {
  return { size: job.payload.size, sha256: job.payload.sha256 };
}

/** Neither the cache nor the NAS has the bytes: a retry would not bring them back. */
class BytesMissing extends Unretryable {
  readonly code = "BYTES_MISSING";
  readonly localized: Localized = VAULT_ERRORS.BYTES_MISSING;
  constructor() {
    super(errorMessage(VAULT_ERRORS.BYTES_MISSING, {}, "en"));
  }
}
