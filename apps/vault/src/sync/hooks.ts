import type { Job } from "@andon/contract";
import type { QueueHooks, Tx } from "@andon/engine";
import type { VaultParts } from "../parts.ts";
import type { SkipFindings } from "./before-skip.ts";
import { forgetIfDeleted } from "./forget-deleted.ts";
import { bytesAt, nasObject, setStatus } from "./nas-object.ts";
import type { SyncPayload } from "./payload.ts";
import { isPresentPath, lastUnfinished } from "./right-place.ts";
import { isSuperseded } from "./superseded.ts";

type SyncJob = Job<SyncPayload>;
type Settle = (job: SyncJob, tx: Tx, findings?: unknown) => Promise<void>;

/**
 * What the NAS's storage object says once an operation ended otherwise than done. AVAILABLE is a promise: these bytes lie
 * where the store knows them, and that is where the file is or on the way there. Whoever breaks it off halfway, or ends it
 * without looking, leaves it unpromised, and the next operation of the file asks the bytes themselves. An operation that
 * the file has gone on without says nothing about it any more.
 */
export function syncHooks(parts: VaultParts): QueueHooks {
  const now = () => parts.andon.store.clock.now();
  const unpromised: Settle = ({ payload }, tx) => setStatus(tx, payload.fileId, "ERROR", now());
  const ending = (settle: Settle) => async (job: Job, tx: Tx, findings?: unknown) => {
    await unlessSuperseded(settle)(job, tx, findings);
    await forgetIfDeleted(parts, tx, job as SyncJob);
  };

  return {
    failed: unlessSuperseded(unpromised),
    skipped: ending(unpromised),
    retried: unlessSuperseded(({ payload }, tx) => setStatus(tx, payload.fileId, "PENDING", now())),
    resolved: ending(async (job, tx, given) => {
      const findings = given as SkipFindings | undefined;
      const { payload } = job;
      const { targetPath } = payload;
      const isThere = findings?.availabilityStatus === "AVAILABLE" && targetPath !== null;
      if (isThere) await bytesAt(tx, payload, targetPath, now());
      else await unpromised(job, tx);
    }),
    cancelled: ending((job, tx) => settleCancelled(job, tx, now())),
  };
}

function unlessSuperseded(settle: Settle) {
  return async (job: Job, tx: Tx, findings?: unknown): Promise<void> => {
    if (!(await isSuperseded(tx, job as SyncJob))) await settle(job as SyncJob, tx, findings);
  };
}

/**
 * One that never started left everything as it was; one that had may have moved the bytes. Either way, where the file's last
 * operation now ends elsewhere than the file is, nothing is promised.
 */
async function settleCancelled(job: SyncJob, tx: Tx, now: number): Promise<void> {
  const { fileId } = job.payload;
  const hasStarted = job.startedAt !== null;
  const last = await lastUnfinished(tx, job);
  const endsAt = last ? last.targetPath : (await nasObject(tx, fileId)).path;
  const isRight = await isPresentPath(tx, fileId, endsAt);
  if (!isRight || (hasStarted && !last)) await setStatus(tx, fileId, "ERROR", now);
  else if (hasStarted) await setStatus(tx, fileId, "PENDING", now);
}
