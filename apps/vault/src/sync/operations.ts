import type { SyncOperation } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { forgetFile, type NasObject } from "./nas-object.ts";
import type { OperationRun } from "./operation-run.ts";
import { placeBytes } from "./place-bytes.ts";
import { recordArrival } from "./record-arrival.ts";
import { removeBytes } from "./remove-bytes.ts";
import { whereabouts } from "./whereabouts.ts";

/** What an operation does on the NAS, and what it writes as it completes. */
interface Operation {
  readonly act: (run: OperationRun, object: NasObject) => Promise<void>;
  readonly record: (run: OperationRun, tx: Tx, object: NasObject) => Promise<void>;
}

/** The file comes to lie at the target, whatever the reason for it. */
const PLACE: Operation = {
  act: (run, object) => placeBytes(run, object, targetOf(run)),
  record: (run, tx, object) => recordArrival(run, tx, object, targetOf(run)),
};

/** The file is nobody's any more: its bytes go from the NAS and the cache, its last rows with the commit. */
const REMOVE: Operation = {
  act: async (run, object) => {
    const { parts, signal } = run;
    if (object.cachePath !== null) await parts.cache.remove(object.cachePath, signal);
    const path = await whereabouts(run, object, null);
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
