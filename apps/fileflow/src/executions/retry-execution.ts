import { type Decision, isAndonError } from "@andon/contract";
import type { StoreTx } from "@andon/engine";
import { FileflowError } from "../contract/errors.ts";
import type { Figures } from "../figures.ts";
import { EXECUTION_QUEUE, type FileflowContext } from "../fileflow-context.ts";
import { createExecutions, type NewExecution } from "../ingest/create-executions.ts";
import { type ExecutionRow, findExecution } from "./execution-rows.ts";

const RETRYABLE = ["FAILED", "TIMEOUT"];

/** Retries by hand: resumes the execution, or creates a new one that refers to it. */
export class Retries {
  readonly #context: () => FileflowContext;
  readonly #figures: Figures;

  constructor(context: () => FileflowContext, figures: Figures) {
    this.#context = context;
    this.#figures = figures;
  }

  /** A retry of many always resumes, whatever the policy. */
  async retry(
    id: string,
    decision: Decision,
    { ofMany }: { ofMany: boolean } = { ofMany: false },
  ): Promise<{ newExecutionId?: string }> {
    const context = this.#context();
    const scope = { tenantId: decision.tenant ?? null, organizationId: decision.organization ?? null };
    const row = await findExecution(context.andon.store, scope, id);
    mustBeRetryable(row);
    if (context.settings.retryPolicy === "new" && !ofMany) {
      const newExecutionId = await this.#repeat(row, decision);
      this.#figures.count("manual_retries", "accepted");
      return { newExecutionId };
    }
    try {
      await context.queue(EXECUTION_QUEUE).retry(id, decision);
    } catch (error) {
      if (isAndonError(error, "JOB_NOT_FOUND")) throw new FileflowError("PP-404-EXEC");
      if (!isAndonError(error, "JOB_STATE")) throw error;
      const { status } = await findExecution(context.andon.store, scope, id);
      throw new FileflowError("PP-409-STATE", { state: status, action: "retry" }, { cause: error });
    }
    this.#figures.count("manual_retries", "accepted");
    return {};
  }

  /** Makes a new execution of the same object, once: a second retry of the same one is refused. */
  async #repeat(row: ExecutionRow, { actor, reason }: Decision): Promise<string> {
    const context = this.#context();
    return context.andon.store.transaction("execution-repeat", async (tx) => {
      const [taken] = await tx.query(
        "update fileflow_executions set retried_as = '' where id = $1 and retried_as is null returning id",
        [row.id],
      );
      if (!taken) throw new FileflowError("PP-409-STATE", { state: "RETRIED", action: "retry" });
      const queue = context.queue(EXECUTION_QUEUE);
      const [made] = await createExecutions(tx, queue, context.pipelines, [repeated(row)]);
      const newId = made?.executionId as string;
      await tx.query("update fileflow_executions set retried_as = $2 where id = $1", [row.id, newId]);
      await record(tx, row, newId, { actor, reason });
      return newId;
    });
  }
}

function mustBeRetryable({ status, retriedAs }: ExecutionRow): void {
  if (!RETRYABLE.includes(status))
    throw new FileflowError("PP-409-STATE", { state: status, action: "retry" });
  if (retriedAs !== null) throw new FileflowError("PP-409-STATE", { state: "RETRIED", action: "retry" });
}

function repeated(row: ExecutionRow): NewExecution {
  return {
    bucket: row.bucket,
    key: row.key,
    size: row.size === null ? null : Number(row.size),
    mimeType: row.mimeType,
    versionId: row.versionId,
    eTag: row.eTag,
    tenantId: row.tenantId,
    organizationId: row.organizationId,
    fileId: row.fileId,
    uploader: row.uploader,
    traceId: row.traceId,
    occurredAt: row.occurredAt === null ? null : Number(row.occurredAt),
    pipelineCode: row.pipelineCode,
    priority: Number(row.priority),
    idempotencyKey: `RETRY#${row.id}`,
    triggerType: "RETRY",
    scheduleId: row.scheduleId,
    retryOf: row.id,
  };
}

async function record(
  tx: StoreTx,
  row: ExecutionRow,
  newExecutionId: string,
  { actor, reason }: Decision,
): Promise<void> {
  await tx.addAudit({
    actor,
    action: "execution.retry",
    target: `job:${row.id}`,
    reason: reason?.trim() || null,
    tenant: row.tenantId,
    organization: row.organizationId,
    before: { status: row.status },
    after: { status: row.status, newExecutionId },
  });
}
