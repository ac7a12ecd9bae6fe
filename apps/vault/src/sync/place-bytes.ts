import type { Readable } from "node:stream";
import { errorMessage, type Language } from "@andon/contract";
import { Unretryable } from "@andon/engine";
import {
  BytesInHand,
  type Fingerprint,
  isStorageError,
  otherSize,
  type Storage,
  StorageError,
} from "@andon/storage";
import { endCopyByHand } from "./copied-by-hand.ts";
import type { NasObject } from "./nas-object.ts";
import type { OperationRun } from "./operation-run.ts";
import { hasBytes } from "./same-bytes.ts";
import { setAside } from "./set-aside.ts";
import { whereabouts } from "./whereabouts.ts";

/**
 * Brings a file's bytes to where its operation wants them: from where the store knows them on the NAS; else they lie at the
 * target already, since an earlier run of this operation ended before its commit; else from the cache. Run again after any
 * crash it ends in the same place. Nothing is ever overwritten.
 */
export async function placeBytes(run: OperationRun, object: NasObject, target: string): Promise<void> {
  const { nas } = run.parts;
  // Looking for leftovers lists the whole folder, so a first claim, which can have none, does not.
  if (run.fence > 1) await nas.removeTemporaries(target, run.temporary);
  try {
    await place(run, object, target);
  } catch (error) {
    if (!isStorageError(error, "TARGET_EXISTS") || !(await isLeftFolderRemoved(nas, target))) throw error;
    await place(run, object, target);
  }
}

/** A folder that an operation left behind, which was given up before its file was there. */
async function isLeftFolderRemoved(nas: Storage, target: string): Promise<boolean> {
  return (await nas.stat(target))?.kind === "folder" && (await nas.removeFolderIfEmpty(target));
}

async function place(run: OperationRun, object: NasObject, target: string): Promise<void> {
  const from = await whereabouts(run, object, target);
  if (from !== undefined) {
    run.signal.throwIfAborted();
    await moveBytes(run, from, target);
    return mustLieAt(run, target);
  }
  await fromCache(run, object, target);
}

/** What lies at the target may be a person's copy of these very bytes. */
async function moveBytes(run: OperationRun, from: string, target: string): Promise<void> {
  try {
    await run.parts.nas.move(from, target, expectedOf(run), run.signal);
  } catch (error) {
    if (!isStorageError(error, "TARGET_EXISTS") || !(await endCopyByHand(run, from, target))) throw error;
  }
}

async function mustLieAt(run: OperationRun, path: string): Promise<void> {
  const { nas } = run.parts;
  const { size } = run.job.payload;
  const entry = await nas.stat(path);
  if (entry?.kind === "file" && entry.size === size) return;
  const reason = entry
    ? otherSize(entry.size, size)
    : { en: "it is gone after its move", ko: "옮긴 뒤 사라졌습니다" };
  throw new StorageError("SOURCE_CHANGED", { place: nas.place, path, reason });
}

async function fromCache(run: OperationRun, object: NasObject, target: string): Promise<void> {
  const { parts, job, signal, temporary, reading, fence } = run;
  const { replaces } = job.payload;
  const stream = await cached(run, object);
  // A put knows its own bytes at the target by itself, but does not tell how far it is: an earlier claim's may be large.
  const mayLieThere = fence > 1 || replaces || !stream;
  try {
    if (mayLieThere && (await hasBytes(parts.nas, target, expectedOf(run), reading))) return;
    if (!stream) throw new BytesMissing(parts.settings.language);
    if (replaces) await setAside(run, target);
    const { onProgress } = reading;
    await parts.nas.put(target, stream, { ...expectedOf(run), temporary, signal, onProgress });
  } finally {
    stream?.destroy();
  }
}

async function cached(
  { parts, signal }: OperationRun,
  { cachePath, bytes }: NasObject,
): Promise<Readable | undefined> {
  if (bytes) return new BytesInHand(bytes);
  if (cachePath === null) return undefined;
  try {
    return (await parts.cache.get(cachePath, { signal })).stream;
  } catch (error) {
    if (isStorageError(error, "SOURCE_MISSING")) return undefined;
    throw error;
  }
}

function expectedOf({ job }: OperationRun): Fingerprint {
  return { size: job.payload.size, sha256: job.payload.sha256 };
}

/** Neither the cache nor the NAS has them: trying again would not bring them back. */
class BytesMissing extends Unretryable {
  readonly code = "BYTES_MISSING";
  constructor(language: Language) {
    super(errorMessage("BYTES_MISSING", {}, language));
  }
}
