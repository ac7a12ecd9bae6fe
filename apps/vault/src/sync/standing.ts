import type { Job, SyncOperation } from "@andon/contract";
import { presentPath } from "../nas/present-path.ts";
import type { VaultParts } from "../parts.ts";
import { lookForBytes } from "./before-skip.ts";
import type { FailedFile } from "./failed-operation.ts";
import { unfinishedOperations } from "./file-operations.ts";
import { type Occupant, occupantOf } from "./occupant.ts";
import type { SyncPayload } from "./payload.ts";
import type { Standing } from "./simulate.ts";
import { isSuperseded } from "./superseded.ts";

/**
 * How a file with a failed operation stands. The NAS is asked as it is before a skip: who copied the bytes by hand finds
 * them there. An operation that the file went on without moves nothing any more, also when it is tried again.
 */
export async function standingOf(
  parts: VaultParts,
  { file, jobId }: FailedFile,
): Promise<Standing & { readonly occupied: Occupant | undefined }> {
  const { andon, nas } = parts;
  const { store } = andon;
  const job = (await andon.job(jobId)) as Job<SyncPayload>;
  const [databasePath, { path: nasPath }, unfinished, hasGoneOn] = await Promise.all([
    presentPath(store, file),
    lookForBytes(parts, job),
    unfinishedOperations(store, file.id),
    isSuperseded(store, job),
  ]);
  const isSettled = hasGoneOn || nasPath === job.payload.targetPath;
  const rest = unfinished.filter(({ id }) => id !== jobId);
  return {
    databasePath,
    nasPath,
    failed: {
      type: job.name as SyncOperation,
      seq: job.seq as number,
      target: hasGoneOn ? nasPath : job.payload.targetPath,
    },
    rest: rest.map(({ type, seq, payload }) => ({
      type,
      seq,
      target: (JSON.parse(payload) as SyncPayload).targetPath,
    })),
    isHeld: rest.length < unfinished.length,
    occupied: isSettled ? undefined : await occupantOf(nas, job.payload),
  };
}
