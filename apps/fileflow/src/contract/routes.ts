import { type RouteTable, route } from "@andon/contract";
import {
  optionalReason,
  organizationId,
  pageOf,
  pageQuery,
  paging,
  pendingDecision,
  reason,
  requiredReason,
  text,
  time,
} from "@andon/contract/wire";
import * as z from "zod";
import {
  deadLetter,
  execution,
  executionItem,
  extraction,
  ingestAnswer,
  logs,
  newSchedule,
  pipeline,
  redrive,
  redriveFilter,
  redriven,
  redrivePlan,
  schedule,
} from "./shapes.ts";
import { DLQ_SOURCES, DLQ_STATES, EXECUTION_STATUSES, TRIGGER_TYPES } from "./states.ts";

/*
 * The routes of events, executions, schedules and dead letters. One long file, because it is one table and the console's
 * build replaces this module as a whole by a table without schemas.
 */

const id = z.strictObject({ id: text(1_000) });

const executionFilter = {
  status: z.enum(EXECUTION_STATUSES).optional().describe("Only those with this status."),
  from: time.optional().describe("Only those created from this time on."),
  to: time.optional().describe("Only those created before this time."),
  tenantId: text(200).optional().describe("Only those of this tenant."),
  orgId: organizationId.optional().describe("Only those of this organisation."),
  pipelineCode: text(100).optional().describe("Only those of this pipeline."),
};

const OF_ONE = ["PP-404-EXEC"] as const;

const ingestRoutes = {
  events: route({
    method: "POST",
    path: "/ingest/events",
    access: "pipeline.ingest",
    summary:
      "Takes an event about a stored object, in Andon's own schema or as an S3 notification or EventBridge event. An invalid event is kept as a dead letter.",
    status: 202,
    takes: "text",
    body: z.unknown().describe("The event."),
    answer: ingestAnswer,
    errors: ["PP-400-JSON", "PP-403-SCOPE", "PP-409-IDEMP", "BODY_TOO_LARGE", "MEDIA_TYPE"],
  }),
} as const;

const pipelineRoutes = {
  list: route({
    method: "GET",
    path: "/pipelines",
    access: "pipeline.read",
    summary: "Pipelines, in the order in which an event is compared with them.",
    query: pageQuery,
    answer: pageOf(pipeline),
  }),
} as const;

const executionRoutes = {
  list: route({
    method: "GET",
    path: "/pipelines/executions",
    access: "pipeline.read",
    summary: "Executions, newest first.",
    query: z.strictObject({
      ...paging,
      ...executionFilter,
      triggerType: z.enum(TRIGGER_TYPES).optional().describe("Only those with this trigger."),
      fileId: text(1_500).optional().describe("Only those of this file."),
      text: text(200)
        .optional()
        .describe(
          "Only those with this text in the file's id or the object's key, in upper or lower case; only the newest 10,000 are searched.",
        ),
    }),
    answer: pageOf(executionItem),
    errors: ["PP-403-SCOPE"],
  }),
  counts: route({
    method: "GET",
    path: "/pipelines/executions/counts",
    access: "pipeline.read",
    summary: "How many executions there are by status, and the most frequent errors of the last day.",
    answer: z.strictObject({
      counts: z.record(z.enum(EXECUTION_STATUSES), z.number().int()),
      more: z.array(z.enum(EXECUTION_STATUSES)).describe("Statuses whose counting stopped at 10,000."),
      topErrors: z.array(z.strictObject({ code: z.string(), count: z.number().int() })),
    }),
  }),
  show: route({
    method: "GET",
    path: "/pipelines/executions/:id",
    access: "pipeline.read",
    summary: "One execution with its stages.",
    params: id,
    answer: execution,
    errors: OF_ONE,
  }),
  logs: route({
    method: "GET",
    path: "/pipelines/executions/:id/logs",
    access: "pipeline.read",
    summary: "The log of an execution by stage.",
    params: id,
    answer: logs,
    errors: OF_ONE,
  }),
  extractions: route({
    method: "GET",
    path: "/pipelines/executions/:id/extractions",
    access: "pipeline.read",
    summary: "What the stages of an execution extracted.",
    params: id,
    query: pageQuery,
    answer: pageOf(extraction),
    errors: OF_ONE,
  }),
  content: route({
    method: "GET",
    path: "/pipelines/extractions/:id/content",
    access: "pipeline.read",
    summary: "The content of one extraction: its whole text, or its thumbnail.",
    params: id,
    media: "application/octet-stream",
    answer: z.string(),
    errors: ["EXTRACTION_NOT_FOUND", "PP-500-IO"],
  }),
  cancel: route({
    method: "POST",
    path: "/pipelines/executions/:id::cancel",
    access: "pipeline.cancel",
    summary: "Cancels an execution: a pending one at once, a running one at the next stage boundary.",
    status: 202,
    params: id,
    body: optionalReason,
    answer: z.strictObject({
      accepted: z.literal(true),
      status: z.enum(EXECUTION_STATUSES),
      pendingDecision,
    }),
    errors: ["PP-404-EXEC", "PP-409-STATE", "DECISION_PENDING"],
  }),
  retry: route({
    method: "POST",
    path: "/pipelines/executions/:id::retry",
    access: "pipeline.retry",
    summary:
      "Retries a failed or timed-out execution: it is resumed, or a new one is made, as `fileflow.retryPolicy` says.",
    status: 202,
    params: id,
    body: optionalReason,
    answer: z.strictObject({ accepted: z.literal(true), newExecutionId: z.string().optional() }),
    errors: ["PP-404-EXEC", "PP-409-STATE"],
  }),
  retryMany: route({
    method: "POST",
    path: "/pipelines/executions::retry",
    access: "pipeline.retry",
    summary:
      "Resumes many failed or timed-out executions, by `ids` or by `filter`. The list is frozen; `GET /admin/operations/{operationId}` shows the progress.",
    status: 202,
    body: z
      .strictObject({
        ids: z.array(text(200)).min(1).max(10_000).optional().describe("The executions, at most 10,000."),
        filter: z
          .strictObject({
            status: z.enum(["FAILED", "TIMEOUT"]).optional().describe("Only those with this status."),
            from: time.optional().describe("Only those created from this time on."),
            to: time.optional().describe("Only those created before this time."),
            pipelineCode: text(100).optional().describe("Only those of this pipeline."),
            errorCode: text(200).optional().describe("Only those that failed with this code."),
          })
          .optional()
          .describe("All failed and timed-out executions that match, instead of `ids`."),
        reason: reason.optional(),
      })
      .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
        params: { en: "either ids or filter", ko: "ids와 filter 중 하나" },
      }),
    answer: z.strictObject({
      accepted: z.literal(true),
      operationId: z.string().nullable(),
      total: z.number().int(),
      done: z.number().int(),
    }),
    errors: ["PLAN_EMPTY", "PP-404-EXEC"],
  }),
} as const;

const { pipelineCode, cron, timeZone } = newSchedule;
const scheduleRoutes = {
  add: route({
    method: "POST",
    path: "/pipelines/schedules",
    access: "pipeline.schedule",
    summary: "Creates a schedule that makes executions at its due times.",
    status: 201,
    body: z.strictObject({
      pipelineCode,
      cron,
      timeZone,
      isActive: newSchedule.isActive.default(true),
      missed: newSchedule.missed.default("once"),
      overlap: newSchedule.overlap.default("skip"),
      input: newSchedule.input.optional(),
      tenantId: newSchedule.tenantId
        .optional()
        .describe("The tenant of its executions. Default: the caller's, else `default`."),
      organizationId: newSchedule.organizationId
        .optional()
        .describe("The organisation of its executions. Default: the caller's, else `default`."),
    }),
    answer: schedule,
    errors: ["PIPELINE_UNKNOWN", "PP-403-SCOPE", "INVALID_OPTION"],
  }),
  list: route({
    method: "GET",
    path: "/pipelines/schedules",
    access: "pipeline.read",
    summary: "Schedules, newest first.",
    query: pageQuery,
    answer: pageOf(schedule),
  }),
  show: route({
    method: "GET",
    path: "/pipelines/schedules/:id",
    access: "pipeline.read",
    summary: "One schedule.",
    params: id,
    answer: schedule,
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
  preview: route({
    method: "GET",
    path: "/pipelines/schedules/:id/preview",
    access: "pipeline.read",
    summary: "The next due times of a schedule, also of an inactive one.",
    params: id,
    query: z.strictObject({
      count: z.coerce.number().int().min(1).max(100).default(5).describe("How many times, at most 100."),
    }),
    answer: z.strictObject({ timeZone: z.string(), nextRuns: z.array(time) }),
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
  change: route({
    method: "PATCH",
    path: "/pipelines/schedules/:id",
    access: "pipeline.schedule",
    summary: "Changes the given members of a schedule. `isActive: false` pauses it.",
    params: id,
    body: z.strictObject({
      pipelineCode: pipelineCode.optional(),
      cron: cron.optional(),
      timeZone: timeZone.optional(),
      isActive: newSchedule.isActive.optional(),
      missed: newSchedule.missed.optional(),
      overlap: newSchedule.overlap.optional(),
      input: newSchedule.input
        .nullable()
        .optional()
        .describe(
          "Runs the pipeline once for each object of this bucket; null: one execution without an object.",
        ),
      reason: reason.optional(),
    }),
    answer: schedule,
    errors: ["SCHEDULE_NOT_FOUND", "PIPELINE_UNKNOWN", "INVALID_OPTION"],
  }),
  remove: route({
    method: "DELETE",
    path: "/pipelines/schedules/:id",
    access: "pipeline.schedule",
    summary: "Deletes a schedule. Its executions stay.",
    params: id,
    answer: z.strictObject({ success: z.literal(true), id: z.string() }),
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
  run: route({
    method: "POST",
    path: "/pipelines/schedules/:id/run",
    access: "pipeline.schedule",
    summary: "Makes the executions of a schedule now, with the trigger `MANUAL`; also of an inactive one.",
    status: 202,
    params: id,
    body: optionalReason,
    answer: z.strictObject({
      accepted: z.literal(true),
      executionId: z
        .string()
        .nullable()
        .describe("Null where the objects below `input` are listed first: each gets an execution."),
    }),
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
} as const;

const redriveWhich = {
  ids: z.array(text(200)).min(1).max(10_000).optional().describe("The dead letters, at most 10,000."),
  filter: redriveFilter
    .optional()
    .describe("All dead letters that match. Without `ids` and `filter`: all in the state `DEAD`."),
  limit: z.number().int().min(1).max(100_000).optional().describe("The most that are sent, oldest first."),
};
const OF_LETTER = ["DLQ_NOT_FOUND", "PP-409-STATE"] as const;

const dlqRoutes = {
  list: route({
    method: "GET",
    path: "/dlq",
    access: "dlq.read",
    summary: "Dead letters, newest first, or with `sample=true` a random sample.",
    query: z.strictObject({
      ...paging,
      state: z.enum(DLQ_STATES).optional().describe("Only those in this state."),
      error: text(100).optional().describe("Only those with this code."),
      source: z.enum(DLQ_SOURCES).optional().describe("Only those from this source."),
      from: time.optional().describe("Only those received from this time on."),
      to: time.optional().describe("Only those received before this time."),
      sample: z
        .enum(["true", "false"])
        .optional()
        .describe("`true`: one page, drawn at random from the newest 10,000. Default: false."),
    }),
    answer: pageOf(deadLetter),
  }),
  counts: route({
    method: "GET",
    path: "/dlq/counts",
    access: "dlq.read",
    summary:
      "How many dead letters there are by state, and by error among the newest 10,000 in the state `DEAD`.",
    answer: z.strictObject({
      counts: z.record(z.enum(DLQ_STATES), z.number().int()),
      more: z.array(z.enum(DLQ_STATES)).describe("States whose counting stopped at 10,000."),
      byError: z.array(z.strictObject({ error: z.string(), count: z.number().int() })),
    }),
  }),
  show: route({
    method: "GET",
    path: "/dlq/:id",
    access: "dlq.read",
    summary: "One dead letter with its message and its history.",
    params: id,
    answer: deadLetter,
    errors: ["DLQ_NOT_FOUND"],
  }),
  redriveOne: route({
    method: "POST",
    path: "/dlq/:id/redrive",
    access: "dlq.operate",
    summary: "Sends one dead letter through the ingest again, with the same idempotency key.",
    params: id,
    body: optionalReason,
    answer: redriven,
    errors: OF_LETTER,
  }),
  discard: route({
    method: "POST",
    path: "/dlq/:id/discard",
    access: "dlq.operate",
    summary: "Discards a dead letter. It stays in the list as `DISCARDED`.",
    params: id,
    body: z.strictObject({ reason: requiredReason }),
    answer: z.strictObject({ id: z.string(), state: z.enum(DLQ_STATES) }),
    errors: OF_LETTER,
  }),
  plan: route({
    method: "POST",
    path: "/dlq/redrive/plan",
    access: "dlq.operate",
    summary:
      "Freezes the list of dead letters that a redrive would send, and shows it. Sends nothing. Valid for 15 minutes.",
    status: 201,
    body: z.strictObject(redriveWhich).prefault({}),
    answer: redrivePlan,
    errors: ["DLQ_NOTHING_TO_REDRIVE"],
  }),
  redriveMany: route({
    method: "POST",
    path: "/dlq/redrive",
    access: "dlq.operate",
    summary:
      "Redrives many dead letters: those of a plan, or those that match now. `GET /dlq/redrives/{redriveId}` shows the progress.",
    status: 202,
    body: z
      .strictObject({
        ...redriveWhich,
        planId: text(200)
          .optional()
          .describe("Exactly the dead letters of this plan; not together with `ids`, `filter` or `limit`."),
        ratePerSecond: z
          .number()
          .positive()
          .max(1_000)
          .default(10)
          .describe("Most messages per second, at most 1,000."),
        reason: reason.optional(),
      })
      .prefault({}),
    answer: redrive,
    errors: ["DLQ_NOTHING_TO_REDRIVE", "PLAN_NOT_FOUND", "PLAN_USED"],
  }),
  redrives: route({
    method: "GET",
    path: "/dlq/redrives",
    access: "dlq.read",
    summary: "Redrives of many dead letters, newest first.",
    query: pageQuery,
    answer: pageOf(redrive),
  }),
  redriveProgress: route({
    method: "GET",
    path: "/dlq/redrives/:id",
    access: "dlq.read",
    summary: "The progress of a redrive.",
    params: id,
    answer: redrive,
    errors: ["REDRIVE_NOT_FOUND"],
  }),
  cancelRedrive: route({
    method: "POST",
    path: "/dlq/redrives/:id/cancel",
    access: "dlq.operate",
    summary: "Stops a redrive. Messages that it has already sent stay sent.",
    params: id,
    body: optionalReason,
    answer: redrive,
    errors: ["REDRIVE_NOT_FOUND"],
  }),
} as const;

/** The API of this app. */
export const FILEFLOW_ROUTES = {
  ingest: ingestRoutes,
  pipelines: pipelineRoutes,
  executions: executionRoutes,
  pipelineSchedules: scheduleRoutes,
  dlq: dlqRoutes,
} as const satisfies RouteTable;
