import { filledIn, type Localized } from "@andon/contract";
import { commit, type Handler, Unretryable } from "@andon/engine";
import type { SyncOperation } from "../contract/routes.ts";
import type { VaultContext } from "../vault-context.ts";
import { pruneFolders } from "./clear-nas-path.ts";
import { forgetPurged, isSuperseded } from "./file-operations.ts";
import { type OperationRun, operationRun } from "./operation-run.ts";
import { endSuperseded, OPERATIONS } from "./operations.ts";
import { type NasObject, nasObject } from "./storage-object.ts";
import { type SyncPayload, syncPayloadOf } from "./sync-job.ts";
import { EarlierOperations, waitForEarlierPaths } from "./wait-for-earlier-paths.ts";

/**
 * Runs an operation: it starts from where the bytes really are, and their new path is recorded in the transaction that
 * completes the job. After a crash between the two, the next run finds what this one did.
 */
export function syncHandler(vault: VaultContext): Handler<SyncPayload> {
  const earlier = new EarlierOperations(vault);
  return async (job, context) => {
    const operation = OPERATIONS[job.name as SyncOperation];
    if (!operation || !syncPayloadOf(job)) throw new NotAnOperation(job.name);
    const run = operationRun(vault, job, context);
    const [object] = await Promise.all([objectOf(run), waitForEarlierPaths(run, earlier)]);
    // Only an operation that ran before can be superseded: nothing overtakes a job that waits in its lane for its first claim.
    if (run.fence > 1 && (await isSuperseded(vault.andon, job))) return endSuperseded(run, object);
    await operation.act(run, object);
    await pruneLeft(run, object);
    return commit(async (tx) => {
      await operation.record(run, tx, object);
      if (job.name !== "UPLOAD") await forgetPurged(tx, job.payload.fileId);
    });
  };
}

/**
 * If this process has just stored the file, it knows the storage object without a query. No other operation can have run since,
 * and a person's decision shows at completion, which is recorded only while the status is the one given here.
 */
async function objectOf({ vault, job, fence }: OperationRun): Promise<NasObject> {
  const { fileId } = job.payload;
  const recent = vault.recent.take(fileId);
  if (recent && fence === 1 && job.name === "UPLOAD") return { path: null, status: "PENDING", ...recent };
  return nasObject(vault.andon.store, fileId);
}

const NOT_AN_OPERATION = {
  en: 'The job "{name}" is not a file operation: the vault did not create it.',
  ko: '작업 "{name}"은(는) 파일 작업이 아닙니다. vault가 만든 작업이 아닙니다.',
} as const satisfies Localized;

/** A job that the vault did not create: a retry would not change that. */
class NotAnOperation extends Unretryable {
  readonly code = "NOT_AN_OPERATION";
  readonly localized: Localized;
  constructor(name: string) {
    const [en, ko] = [filledIn(NOT_AN_OPERATION.en, { name }), filledIn(NOT_AN_OPERATION.ko, { name })];
    super(en);
    this.localized = { en, ko };
  }
}

/** Removes the empty folders that the bytes left, in this run or in an earlier one. */
async function pruneLeft({ vault, job }: OperationRun, { path }: NasObject): Promise<void> {
  const { sourcePath, targetPath, tenantId } = job.payload;
  for (const left of new Set([path, sourcePath])) {
    if (left !== null && left !== targetPath) await pruneFolders(vault.nas, tenantId, left);
  }
}
