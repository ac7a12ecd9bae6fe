import type { Job } from "@andon/contract";
import type { QueueHooks, Tx } from "@andon/engine";
import type { VaultContext } from "../vault-context.ts";
import type { SkipFindings } from "./before-skip.ts";
import { isSuperseded, lastUnfinished, type SyncJob } from "./file-operations.ts";
import { forgetIfDeleted, isExpectedPath, nasObject, recordBytesAt, setStatus } from "./storage-object.ts";
import { syncPayloadOf } from "./sync-job.ts";

type Settle = (job: SyncJob, tx: Tx, findings?: unknown) => Promise<void>;

/**
 * Sets the status of the NAS's storage object when an operation ends other than done. AVAILABLE guarantees that these
 * bytes are at the recorded path, and that the file belongs there or a later operation moves it on. An operation that
 * was interrupted, or was ended without checking the NAS, leaves ERROR, and the file's next operation compares the
 * bytes. A superseded operation changes nothing.
 */
export function syncHooks(vault: VaultContext): QueueHooks {
  const now = () => vault.andon.store.clock.now();
  const toError: Settle = ({ payload }, tx) => setStatus(tx, payload.fileId, "ERROR", now());
  const ending = (settle: Settle) => async (job: Job, tx: Tx, findings?: unknown) => {
    await unlessSuperseded(vault, settle)(job, tx, findings);
    await forgetIfDeleted(vault, tx, job as SyncJob);
  };

  return onlySyncJobs({
    failed: unlessSuperseded(vault, toError),
    skipped: ending(toError),
    retried: unlessSuperseded(vault, ({ payload }, tx) => setStatus(tx, payload.fileId, "PENDING", now())),
    resolved: ending(async (job, tx, given) => {
      const findings = given as SkipFindings | undefined;
      const { payload } = job;
      const { targetPath } = payload;
      const isThere = findings?.availabilityStatus === "AVAILABLE" && targetPath !== null;
      if (isThere) await recordBytesAt(tx, payload, targetPath, now());
      else await toError(job, tx);
    }),
    cancelled: ending((job, tx) => settleCancelled(vault, job, tx)),
  });
}

function unlessSuperseded({ andon }: VaultContext, settle: Settle) {
  return async (job: Job, tx: Tx, findings?: unknown): Promise<void> => {
    if (!(await isSuperseded(andon, job as SyncJob, tx))) await settle(job as SyncJob, tx, findings);
  };
}

/**
 * An operation that never started changed nothing; one that started may have moved the bytes. Either way the status is ERROR
 * if the file's last operation now ends elsewhere than the file belongs.
 */
async function settleCancelled({ andon }: VaultContext, job: SyncJob, tx: Tx): Promise<void> {
  const now = andon.store.clock.now();
  const { fileId } = job.payload;
  const hasStarted = job.startedAt !== null;
  const last = await lastUnfinished(andon, tx, job);
  const endsAt = last ? last.payload.targetPath : (await nasObject(tx, fileId)).path;
  const isRight = await isExpectedPath(tx, fileId, endsAt);
  if (!isRight || (hasStarted && !last)) await setStatus(tx, fileId, "ERROR", now);
  else if (hasStarted) await setStatus(tx, fileId, "PENDING", now);
}

const OF_A_JOB = ["failed", "skipped", "resolved", "cancelled", "retried"] as const;

/** Calls the hooks only for jobs that the vault created: other jobs concern no file. */
function onlySyncJobs(hooks: QueueHooks): QueueHooks {
  const guarded = OF_A_JOB.map((name) => {
    const hook = hooks[name];
    return [
      name,
      async (job: Job, tx: Tx, findings?: unknown) => {
        if (syncPayloadOf(job)) await hook?.(job, tx, findings);
      },
    ] as const;
  });
  return { ...hooks, ...Object.fromEntries(guarded) };
}
