import type { Job } from "@andon/contract";
import type { QueueHooks, Tx } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { presentPath } from "../nas/present-path.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import type { SkipFindings } from "./before-skip.ts";
import { bytesAt, forgetFile, nasObject, setStatus } from "./nas-object.ts";
import type { SyncPayload } from "./payload.ts";

type SyncJob = Job<SyncPayload>;

/**
 * What the NAS's storage object says once an operation ended otherwise than done. AVAILABLE is a promise: these bytes lie
 * where the store knows them. Whoever breaks it off halfway, or ends it without looking, leaves it unpromised, and the next
 * operation of the file asks the bytes themselves.
 */
export function syncHooks({ andon }: VaultParts): QueueHooks {
  const now = () => andon.store.clock.now();
  const unpromised = (job: Job, tx: Tx) => setStatus(tx, fileOf(job), "ERROR", now());

  return {
    failed: unpromised,
    skipped: async (job, tx) => {
      await unpromised(job, tx);
      await forgetIfDeleted(job as SyncJob, tx);
    },
    retried: (job, tx) => setStatus(tx, fileOf(job), "PENDING", now()),
    resolved: async (job, tx, given) => {
      const findings = given as SkipFindings | undefined;
      const { payload } = job as SyncJob;
      const { targetPath } = payload;
      const isThere = findings?.availabilityStatus === "AVAILABLE" && targetPath !== null;
      if (isThere) await bytesAt(tx, payload, targetPath, now());
      else await unpromised(job, tx);
      await forgetIfDeleted(job as SyncJob, tx);
    },
    cancelled: async (job, tx) => {
      await settleCancelled(job as SyncJob, tx, now());
      await forgetIfDeleted(job as SyncJob, tx);
    },
  };
}

/** One that never started left everything as it was; one that had may have moved the bytes. */
async function settleCancelled(job: SyncJob, tx: Tx, now: number): Promise<void> {
  const { fileId } = job.payload;
  const hasStarted = job.startedAt !== null;
  if (await hasUnfinished(tx, job)) {
    if (hasStarted) await setStatus(tx, fileId, "PENDING", now);
    return;
  }
  const [file] = await tx.query<File>(`select ${FILE_COLUMNS} from files where id = $1`, [fileId]);
  if (!file) return;
  const { path } = await nasObject(tx, fileId);
  if (hasStarted || path !== (await presentPath(tx, file))) await setStatus(tx, fileId, "ERROR", now);
}

/** A deleted file whose last operation was given up: what is left of it on the NAS is nobody's. */
async function forgetIfDeleted(job: SyncJob, tx: Tx): Promise<void> {
  if (job.name === "DELETE" && !(await hasUnfinished(tx, job))) await forgetFile(tx, job.payload.fileId);
}

async function hasUnfinished(tx: Tx, job: SyncJob): Promise<boolean> {
  const [other] = await tx.query(
    `select 1 as one from andon_lane_jobs o join andon_jobs j on j.pos = o.pos
where o.queue = $1 and o.lane_key = $2 and j.id <> $3 and j.state = 'open' limit 1`,
    [SYNC_QUEUE, `file:${job.payload.fileId}`, job.id],
  );
  return other !== undefined;
}

function fileOf(job: Job): string {
  return (job as SyncJob).payload.fileId;
}
