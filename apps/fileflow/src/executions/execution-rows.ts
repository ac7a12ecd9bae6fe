import { Conditions } from "@andon/app";
import { iso, isoOrNull, type Language, type Localized, localError } from "@andon/contract";
import type { Store } from "@andon/engine";
import { FileflowError } from "../contract/errors.ts";
import type { ExecutionStatus, StageStatus, TriggerType } from "../contract/states.ts";
import type { Scope } from "../fileflow-context.ts";
import { skipText } from "../stages/stage-texts.ts";
import { shownStage } from "./execution-status.ts";

/** A row of the view `pipeline_executions`. */
export interface ExecutionRow {
  readonly id: string;
  readonly status: ExecutionStatus;
  readonly pipelineCode: string;
  readonly triggerType: TriggerType;
  readonly tenantId: string;
  readonly organizationId: string;
  readonly fileId: string;
  readonly fileDeleted: number;
  readonly bucket: string | null;
  readonly key: string | null;
  readonly size: number | null;
  readonly mimeType: string | null;
  readonly priority: number;
  readonly jobStage: string | null;
  readonly cancelRequestedAt: number | null;
  readonly traceId: string;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly durationMs: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly errorTexts: string | null;
  readonly idempotencyKey: string;
  readonly uploader: string | null;
  readonly versionId: string | null;
  readonly eTag: string | null;
  readonly occurredAt: number | null;
  readonly scheduleId: string | null;
  readonly retryOf: string | null;
  readonly retriedAs: string | null;
  readonly retries: number;
  readonly inputRef: string | null;
  readonly outputRef: string | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: number | null;
  readonly resolutionNote: string | null;
}

export const EXECUTION_COLUMNS = `e.id, e.status, e.pipeline_code as "pipelineCode", e.trigger_type as "triggerType",
  e.tenant_id as "tenantId", e.organization_id as "organizationId", e.file_id as "fileId", e.file_deleted as "fileDeleted", e.bucket,
  e.object_key as key, e.size, e.mime_type as "mimeType", e.priority, e.job_stage as "jobStage",
  e.cancel_requested_at as "cancelRequestedAt", e.trace_id as "traceId", e.created_at as "createdAt", e.started_at as "startedAt",
  e.completed_at as "completedAt", e.duration_ms as "durationMs", e.error_code as "errorCode", e.error_message as "errorMessage",
  e.error_texts as "errorTexts", e.idempotency_key as "idempotencyKey", e.uploader_user_context_id as uploader,
  e.version_id as "versionId", e.e_tag as "eTag", e.occurred_at as "occurredAt", e.schedule_id as "scheduleId",
  e.retry_of as "retryOf", e.retried_as as "retriedAs", e.retries, e.input_ref as "inputRef", e.output_ref as "outputRef",
  e.resolved_by as "resolvedBy", e.resolved_at as "resolvedAt", e.resolution_note as "resolutionNote"`;

export async function findExecution(store: Store, scope: Scope, id: string): Promise<ExecutionRow> {
  const conditions = new Conditions().add("e.id = ?", id).within(scope, "e");
  const [row] = await store.query<ExecutionRow>(
    `select ${EXECUTION_COLUMNS} from pipeline_executions e ${conditions.where}`,
    conditions.params,
  );
  if (!row) throw new FileflowError("PP-404-EXEC");
  return row;
}

const numberOrNull = (value: unknown) => (value === null || value === undefined ? null : Number(value));
const timeOrNull = (value: number | null) => isoOrNull(numberOrNull(value));

export function shownItem(row: ExecutionRow, language: Language) {
  return {
    executionId: row.id,
    status: row.status,
    pipelineCode: row.pipelineCode,
    triggerType: row.triggerType,
    tenantId: row.tenantId,
    organizationId: row.organizationId,
    fileId: row.fileId,
    fileDeleted: Number(row.fileDeleted) === 1,
    bucket: row.bucket,
    key: row.key,
    size: numberOrNull(row.size),
    mimeType: row.mimeType,
    priority: Number(row.priority),
    stage: row.status === "PENDING" || row.status === "RUNNING" ? shownStage(row.jobStage) : null,
    cancelRequested: row.cancelRequestedAt !== null && row.status === "RUNNING",
    traceId: row.traceId,
    createdAt: iso(Number(row.createdAt)),
    startedAt: timeOrNull(row.startedAt),
    completedAt: timeOrNull(row.completedAt),
    durationMs: numberOrNull(row.durationMs),
    error: shownError(row, language),
  };
}

interface StoredError {
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly errorTexts: string | null;
}

function shownError({ errorCode, errorMessage, errorTexts }: StoredError, language: Language) {
  if (errorCode === null) return null;
  const texts = errorTexts === null ? undefined : (JSON.parse(errorTexts) as Localized);
  const { message } = localError({ code: errorCode, message: errorMessage ?? errorCode, texts }, language);
  return { code: errorCode, message, details: { reason: message } };
}

interface StageViewRow extends StoredError {
  readonly number: number;
  readonly name: string;
  readonly status: StageStatus;
  readonly attempts: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly durationMs: number | null;
  readonly output: string | null;
  readonly outputRef: string | null;
  readonly reason: string | null;
}

export async function stagesOf(store: Store, { id, inputRef }: ExecutionRow, language: Language) {
  const rows = await store.query<StageViewRow>(
    `select s.number, s.name, s.status, s.attempts, s.started_at as "startedAt", s.completed_at as "completedAt",
       s.duration_ms as "durationMs", s.error_code as "errorCode", s.error_message as "errorMessage", s.error_texts as "errorTexts",
       s.output, s.output_ref as "outputRef", s.reason
     from pipeline_stages s where s.execution_id = $1 order by s.number`,
    [id],
  );
  return rows.map((row) => ({
    name: row.name,
    status: row.status,
    attempts: Number(row.attempts),
    startedAt: timeOrNull(row.startedAt),
    completedAt: timeOrNull(row.completedAt),
    durationMs: numberOrNull(row.durationMs),
    error: shownError(row, language),
    reason: skipText(row.reason, language),
    output: row.output === null ? null : (JSON.parse(row.output) as unknown),
    inputRef,
    outputRef: row.outputRef,
  }));
}
