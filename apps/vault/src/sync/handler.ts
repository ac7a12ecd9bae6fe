import { filledIn, type Job, type Language, type Localised, type SyncOperation } from "@andon/contract";
import { commit, type Handler, type Tx, Unretryable } from "@andon/engine";
import type { VaultParts } from "../parts.ts";
import { EarlierOperations } from "./earlier-operations.ts";
import { type NasObject, nasObject } from "./nas-object.ts";
import { type OperationRun, operationRun } from "./operation-run.ts";
import { OPERATIONS } from "./operations.ts";
import { type SyncPayload, syncPayloadOf } from "./payload.ts";
import { pruneFolders } from "./prune-folders.ts";
import { standBackForEarlier } from "./stand-back.ts";
import { endSuperseded, isSuperseded } from "./superseded.ts";

/**
 * Carries an operation out: it starts from where the bytes really lie, and the store learns of their new place in the
 * transaction that completes the job. Between the two there may be a crash; the next run finds what this one did.
 */
export function syncHandler(parts: VaultParts): Handler<SyncPayload> {
  const earlier = new EarlierOperations(parts);
  return async (job, context) => {
    const operation = OPERATIONS[job.name as SyncOperation];
    if (!operation || !syncPayloadOf(job)) throw new NotAnOperation(job.name, parts.settings.language);
    const run = operationRun(parts, job, context);
    const [object] = await Promise.all([objectOf(run), standBackForEarlier(run, earlier)]);
    // Only one that ran before can have been overtaken: what waits in a lane for its first turn, nothing passes.
    if (run.fence > 1 && (await isSuperseded(parts.andon.store, job))) return endSuperseded(run, object);
    await operation.act(run, object);
    await pruneLeft(run, object);
    return commit(async (tx) => {
      await operation.record(run, tx, object);
      if (job.name !== "UPLOAD") await forgetPurged(tx, job);
    });
  };
}

/**
 * Of a file that has just come, this process knows what it wrote itself. Nothing has passed its first operation since then,
 * and a decision about it shows as it completes: what is written then depends on the status that is stated here.
 */
async function objectOf({ parts, job, fence }: OperationRun): Promise<NasObject> {
  const { fileId } = job.payload;
  const recent = parts.recent.take(fileId);
  if (recent && fence === 1 && job.name === "UPLOAD") return { path: null, status: "PENDING", ...recent };
  return nasObject(parts.andon.store, fileId);
}

const NOT_AN_OPERATION = {
  en: 'The job "{name}" is no operation of a file: the vault did not make it.',
  ko: '작업 "{name}"은(는) 파일 작업이 아닙니다. 볼트가 만든 작업이 아닙니다.',
} as const satisfies Localised;

/** A job that the vault did not make: trying again would not make an operation of it. */
class NotAnOperation extends Unretryable {
  readonly code = "NOT_AN_OPERATION";
  constructor(name: string, language: Language) {
    super(filledIn(NOT_AN_OPERATION[language], { name }));
  }
}

/** The folders that the bytes left, also those that an earlier run of this operation left. */
async function pruneLeft({ parts, job }: OperationRun, { path }: NasObject): Promise<void> {
  const { sourcePath, targetPath, tenantId } = job.payload;
  for (const left of new Set([path, sourcePath])) {
    if (left !== null && left !== targetPath) await pruneFolders(parts.nas, tenantId, left);
  }
}

/** Jobs that are done are purged by age; what points to them goes with the file's next operation, an upload is the first. */
async function forgetPurged(tx: Tx, job: Job<SyncPayload>): Promise<void> {
  await tx.query(
    `delete from vault_operations where file_id = $1
and not exists (select 1 from andon_jobs j where j.id = vault_operations.job_id)`,
    [job.payload.fileId],
  );
}
