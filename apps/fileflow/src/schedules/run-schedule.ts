import { randomBytes } from "node:crypto";
import type { AppQueue } from "@andon/app";
import { AndonError, isAndonError, type Job } from "@andon/contract";
import { commit, type HandlerContext, Snooze } from "@andon/engine";
import type { TriggerType } from "../contract/states.ts";
import { EXECUTION_QUEUE, type FileflowContext } from "../fileflow-context.ts";
import { createExecutions, type NewExecution } from "../ingest/create-executions.ts";
import { fileIdOf } from "../ingest/read-message.ts";
import { findSchedule, type ScheduleRow } from "./schedule-rows.ts";

/** The payload of a job of the schedules' queue. `manual`: the name of a run that a person started, instead of a due time. */
export interface SchedulePayload {
  readonly scheduleId: string;
  readonly manual?: string;
}

const PER_TRANSACTION = 500;
/** The interval between checks whether the earlier run has ended (`overlap: queue`). */
const LOOK_AGAIN_MS = 5_000;

/** The queue of due times. Each job creates the executions of its schedule. Runs of one schedule run one after another. */
export function scheduleQueue(context: FileflowContext): AppQueue {
  return {
    isSystem: true,
    rules: {
      attempts: 10,
      backoff: { delay: "5s", max: "5m" },
      timeout: "10m",
      onFinalFailure: "hold-lane",
      probe: false,
    },
    work: { places: 4 },
    handler: async (job: Job<never>, { signal, attempt }: HandlerContext) => {
      const payload = job.payload as SchedulePayload;
      const row = await scheduleOf(context, payload.scheduleId);
      if (!row) return { executions: 0, reason: "deleted" };
      const isManual = payload.manual !== undefined;
      const dueAt = payload.manual ?? new Date(job.runAt ?? job.createdAt).toISOString();
      if (
        !isManual &&
        row.overlap !== "allow" &&
        attempt === 1 &&
        (await isUnderWay(context, row.id, dueAt))
      ) {
        if (row.overlap === "skip") return { executions: 0, reason: "an earlier run has not ended" };
        throw new Snooze(LOOK_AGAIN_MS);
      }
      return runOf(context, row, dueAt, isManual ? "MANUAL" : "SCHEDULE", signal);
    },
    describe: (job) => ({
      aggregateType: "SCHEDULE",
      aggregateId: (job.payload as SchedulePayload).scheduleId,
      eventType: "SCHEDULE_DUE",
      data: job.payload,
    }),
  };
}

async function scheduleOf({ andon }: FileflowContext, id: string): Promise<ScheduleRow | undefined> {
  try {
    return await findSchedule(andon.store, { tenantId: null, organizationId: null }, id);
  } catch (error) {
    if (isAndonError(error, "SCHEDULE_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Whether an execution of another due time has not ended. */
async function isUnderWay({ andon }: FileflowContext, id: string, dueAt: string): Promise<boolean> {
  const [row] = await andon.store.query(
    `select id from fileflow_executions where schedule_id = $1 and ended_status is null
       and idempotency_key not like $2 limit 1`,
    [id, `SCHEDULE#${id}#${dueAt}%`],
  );
  return row !== undefined;
}

/** Creates the executions of one run. Called again after a crash, it creates only the missing ones. */
async function runOf(
  context: FileflowContext,
  row: ScheduleRow,
  dueAt: string,
  triggerType: TriggerType,
  signal: AbortSignal,
) {
  const { andon, pipelines } = context;
  if (!pipelines.find(row.pipelineCode))
    throw new AndonError("INVALID_OPTION", {
      where: "the schedule",
      option: "pipelineCode",
      given: row.pipelineCode,
      allowed: pipelines.all.map(({ code }) => code).join(", "),
    });
  const queue = context.queue(EXECUTION_QUEUE);
  if (row.inputBucket === null) {
    const execution = newRun(context, row, dueAt, triggerType, null);
    return commit(
      async (tx) => {
        await createExecutions(tx as never, queue, pipelines, [execution]);
      },
      { executions: 1 },
    );
  }
  let count = 0;
  let batch: NewExecution[] = [];
  const flush = async () => {
    const items = batch;
    batch = [];
    count += items.length;
    await andon.store.transaction("schedule-run", (tx) => createExecutions(tx, queue, pipelines, items));
  };
  for await (const object of context.buckets.list(row.inputBucket, row.inputPrefix ?? "")) {
    signal.throwIfAborted();
    batch.push(newRun(context, row, dueAt, triggerType, object));
    if (batch.length >= PER_TRANSACTION) await flush();
  }
  if (batch.length > 0) await flush();
  return { executions: count };
}

export function newRun(
  { pipelines }: Pick<FileflowContext, "pipelines">,
  row: ScheduleRow,
  dueAt: string,
  triggerType: TriggerType,
  object: { key: string; size: number } | null,
): NewExecution {
  const { id, tenantId, organizationId, inputBucket: bucket, pipelineCode } = row;
  const key = `SCHEDULE#${id}#${dueAt}`;
  return {
    bucket: object === null ? null : bucket,
    key: object?.key ?? null,
    size: object?.size ?? null,
    mimeType: null,
    versionId: null,
    eTag: null,
    tenantId,
    organizationId,
    fileId: object === null || bucket === null ? `schedule:${id}` : fileIdOf(tenantId, bucket, object.key),
    uploader: null,
    traceId: randomBytes(16).toString("hex"),
    occurredAt: null,
    pipelineCode,
    priority: pipelines.mustFind(pipelineCode).priority,
    idempotencyKey: object === null ? key : `${key}#${object.key}`,
    triggerType,
    scheduleId: id,
    retryOf: null,
  };
}
