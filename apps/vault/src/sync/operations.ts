import { type Commit, commit, type Tx } from "@andon/engine";
import type { SyncOperation } from "../contract/routes.ts";
import { quarantine } from "./clear-nas-path.ts";
import { hasBytes } from "./inspect-nas-path.ts";
import { locateOnNas } from "./locate-on-nas.ts";
import type { OperationRun } from "./operation-run.ts";
import { placeBytes } from "./place-bytes.ts";
import {
  forgetFile,
  forgetIfDeleted,
  isExpectedAt,
  type NasObject,
  nasObject,
  recordBytesAt,
  setStatus,
} from "./storage-object.ts";

/** What an operation does on the NAS, and what it writes as it completes. */
interface Operation {
  readonly act: (run: OperationRun, object: NasObject) => Promise<void>;
  readonly record: (run: OperationRun, tx: Tx, object: NasObject) => Promise<void>;
}

/** Brings the file to the target, whatever the reason. */
const PLACE: Operation = {
  act: (run, object) => placeBytes(run, object, targetOf(run)),
  record: (run, tx, object) => recordArrival(run, tx, object, targetOf(run)),
};

/** Removes the file's bytes from the NAS and the cache, and its last rows with the commit. */
const REMOVE: Operation = {
  act: async (run, object) => {
    const { vault, signal } = run;
    if (object.cachePath !== null) await vault.cache.remove(object.cachePath, signal);
    const path = await locateOnNas(run, object, null);
    signal.throwIfAborted();
    if (path !== undefined) await removeBytes(run, path);
  },
  record: ({ job }, tx) => forgetFile(tx, job.payload.fileId),
};

export const OPERATIONS: Record<SyncOperation, Operation> = {
  UPLOAD: PLACE,
  MOVE: PLACE,
  RENAME: PLACE,
  TRASH: PLACE,
  RESTORE: PLACE,
  DELETE: REMOVE,
};

function targetOf({ job }: OperationRun): string {
  const { targetPath } = job.payload;
  if (targetPath === null) throw new Error(`operation ${job.name} has no target`);
  return targetPath;
}

/**
 * Records where an operation brought the bytes. That is where the file belongs, or on the way there, unless a later operation
 * was given up meanwhile. Giving one up sets the status to ERROR, so a first claim that finds the status it has seen needs
 * one statement. A repeated claim checks where the file belongs now.
 */
async function recordArrival(
  { vault, job, fence }: OperationRun,
  tx: Tx,
  seen: NasObject,
  target: string,
): Promise<void> {
  const { payload } = job;
  const now = vault.andon.store.clock.now();
  const isFresh = fence === 1 && seen.status !== "ERROR";
  if (isFresh && (await recordBytesAt(tx, payload, target, now, seen.status))) return;
  await recordBytesAt(tx, payload, target, now);
  if (await isExpectedAt(vault, tx, job, target)) return;
  await setStatus(tx, payload.fileId, "ERROR", now);
  await forgetIfDeleted(vault, tx, job);
}

/**
 * Removes a file's bytes from the NAS for good, if they are exactly these bytes: the whole file is read, because a
 * removal cannot be undone. If somebody put other bytes there, they are quarantined, where a person finds them.
 */
async function removeBytes(run: OperationRun, path: string): Promise<void> {
  const { vault, job, signal, readOptions } = run;
  if (!(await hasBytes(vault.nas, path, job.payload, readOptions))) {
    await quarantine(run, path);
    return;
  }
  await vault.nas.remove(path, signal);
}

/** Ends a superseded operation: moves nothing, and records whether the bytes are at the path in the database. */
export async function endSuperseded(run: OperationRun, { path }: NasObject): Promise<Commit> {
  const { vault, job, readOptions } = run;
  const { fileId } = job.payload;
  const isThere = path !== null && (await hasBytes(vault.nas, path, job.payload, readOptions));
  return commit(
    async (tx) => {
      const isKnown = isThere && (await nasObject(tx, fileId)).path === path;
      const isExpected = isKnown && (await isExpectedAt(vault, tx, job, path));
      await setStatus(tx, fileId, isExpected ? "AVAILABLE" : "ERROR", vault.andon.store.clock.now());
      await forgetIfDeleted(vault, tx, job);
    },
    { superseded: true },
  );
}
