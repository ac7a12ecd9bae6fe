import { MISSED_POLICIES } from "@andon/contract";
import { json, organizationId, shownDecision, text, time } from "@andon/contract/wire";
import * as z from "zod";
import {
  DLQ_SOURCES,
  DLQ_STATES,
  EXECUTION_STATUSES,
  OVERLAP_POLICIES,
  REDRIVE_STATES,
  STAGE_STATUSES,
  TRIGGER_TYPES,
} from "./states.ts";

/** The shapes of this app's answers. */

const ref = z.string().nullable();
const problem = z
  .strictObject({ code: z.string(), message: z.string(), details: z.record(z.string(), json).optional() })
  .nullable();

const stage = z.strictObject({
  name: z.string(),
  status: z.enum(STAGE_STATUSES),
  attempts: z.number().int(),
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  durationMs: z.number().int().nullable(),
  error: problem,
  reason: z.string().nullable().describe("Why it was skipped."),
  output: json.describe("What it found, where that is small; null otherwise."),
  inputRef: ref,
  outputRef: ref.describe("Where its output is, if it is too large for the row."),
});

export const executionItem = z.strictObject({
  executionId: z.string(),
  status: z.enum(EXECUTION_STATUSES),
  pipelineCode: z.string(),
  triggerType: z.enum(TRIGGER_TYPES),
  tenantId: z.string(),
  organizationId: z.string(),
  fileId: z.string(),
  fileDeleted: z
    .boolean()
    .describe("The file was deleted since. One in the trash of the vault is deleted until it is restored."),
  bucket: z.string().nullable(),
  key: z.string().nullable(),
  size: z.number().int().nullable(),
  mimeType: z.string().nullable(),
  priority: z.number().int(),
  stage: z.string().nullable().describe("The stage it is in."),
  cancelRequested: z.boolean().describe("It stops at the next stage boundary."),
  traceId: z.string(),
  createdAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  durationMs: z.number().int().nullable(),
  error: problem,
});

export const execution = executionItem.extend({
  idempotencyKey: z.string(),
  uploaderUserContextId: z.string().nullable(),
  versionId: z.string().nullable(),
  eTag: z.string().nullable(),
  occurredAt: time.nullable(),
  scheduleId: z.string().nullable(),
  retryOf: z.string().nullable().describe("The execution that this one repeats."),
  retriedAs: z.string().nullable().describe("The execution that repeats this one."),
  retries: z.number().int().describe("How often it was resumed by hand."),
  traceUrl: z.string().nullable().describe("Its trace, where the settings say how to find one."),
  inputRef: ref,
  outputRef: ref,
  cancel: z
    .strictObject({ by: z.string(), reason: z.string().nullable(), at: time })
    .nullable()
    .describe("Who cancelled it."),
  pendingDecision: shownDecision,
  stages: z.array(stage).describe("Those that it has reached, in their order."),
});

export const logs = z.strictObject({
  stages: z.array(
    z.strictObject({
      name: z.string(),
      entries: z.array(
        z.strictObject({
          at: time,
          level: z.enum(["info", "warn", "error"]),
          attempt: z.number().int(),
          code: z.string().nullable(),
          message: z.string(),
        }),
      ),
      logRef: ref.describe("Where the whole log is, if it is too large for the row."),
    }),
  ),
});

export const extraction = z.strictObject({
  id: z.string().describe("`executionId#stage#type`."),
  executionId: z.string(),
  fileId: z.string(),
  stage: z.string(),
  extractionType: z.string(),
  method: z.string(),
  confidence: z.number().min(0).max(1),
  text: z.string().nullable().describe("The text, or its beginning where `isCut`."),
  isCut: z.boolean(),
  ref: ref.describe("Where the whole content is; `GET /pipelines/extractions/{id}/content` gives it."),
  mimeType: z.string().nullable(),
  facts: z.record(z.string(), json).describe("What else was found, such as pages or dimensions."),
  traceId: z.string(),
  receivedAt: time,
});

const ingested = z.strictObject({
  executionId: z.string(),
  created: z.boolean().describe("False: an earlier event had the same idempotency key."),
});
const refusedRecord = z.strictObject({
  error: z.string(),
  dlqId: z.string(),
  reasons: z.array(z.string()),
});
export const ingestAnswer = z.union([
  ingested,
  z.strictObject({ executions: z.array(z.union([ingested, refusedRecord])) }),
]);

const retryStrategy = z.strictObject({
  type: z.enum(["fixed", "exponential", "none"]),
  max: z.number().int(),
  delayMs: z.number().int(),
});

export const pipeline = z.strictObject({
  code: z.string(),
  description: z.string().nullable(),
  priority: z.number().int(),
  match: z.strictObject({
    mimeTypes: z.array(z.string()),
    tenantIds: z.array(z.string()),
    buckets: z.array(z.string()),
    prefix: z.string().nullable(),
  }),
  stages: z.array(
    z.strictObject({
      name: z.string(),
      use: z.string(),
      retry: retryStrategy,
      timeoutMs: z.number().int(),
      concurrency: z.number().int().nullable(),
      rollBack: z.boolean(),
    }),
  ),
  executions: z.strictObject({
    pending: z.number().int(),
    running: z.number().int(),
    more: z.boolean().describe("Counting stopped at 10,000 open executions."),
  }),
});

const input = z.strictObject({
  bucket: text(255).describe("The bucket."),
  prefix: z.string().max(1024).default("").describe("Only objects whose key begins with this."),
});
/** The fields of a new schedule. */
export const newSchedule = {
  pipelineCode: text(100).describe("The code of the pipeline that it runs."),
  cron: text(200).describe(
    "Minute, hour, day of month, month, day of week. With six fields, the first one is the second of the minute.",
  ),
  timeZone: text(100).describe('An IANA time zone such as "Asia/Seoul".'),
  isActive: z.boolean().describe("Whether it fires."),
  missed: z
    .enum(MISSED_POLICIES)
    .describe(
      "What happens to due times that passed while no worker was running. `once`: one run for all of them. `all`: one for each. `skip`: none.",
    ),
  overlap: z
    .enum(OVERLAP_POLICIES)
    .describe(
      "What happens to a due time while an earlier run has not ended. `skip`: it is left out. `queue`: it runs after that run. `allow`: it runs at once.",
    ),
  input: input.describe(
    "Runs the pipeline once for each object of this bucket. Default: one execution without an object.",
  ),
  tenantId: text(200),
  organizationId,
};

export const schedule = z.strictObject({
  id: z.string(),
  pipelineCode: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  isActive: z.boolean(),
  missed: z.enum(MISSED_POLICIES),
  overlap: z.enum(OVERLAP_POLICIES),
  input: z.strictObject({ bucket: z.string(), prefix: z.string() }).nullable(),
  tenantId: z.string(),
  organizationId: z.string(),
  nextExecutionAt: time.nullable(),
  lastExecutionAt: time.nullable().describe("The last due time that is settled."),
  nextRuns: z.array(time).describe("The next five due times."),
  createdBy: z.string(),
  createdAt: time,
});

export const deadLetter = z.strictObject({
  id: z.string(),
  state: z.enum(DLQ_STATES),
  source: z.enum(DLQ_SOURCES),
  tenantId: z.string().nullable(),
  organizationId: z.string().nullable(),
  error: z.string(),
  reasons: z.array(z.string()),
  body: z.string().describe("The message as it came; lists show its beginning."),
  isCut: z.boolean().describe("Whether the body is longer than what is shown."),
  redriveCount: z.number().int(),
  idempotencyKey: z.string().nullable(),
  executionId: z.string().nullable().describe("The execution that a redrive made."),
  traceId: z.string().nullable(),
  receivedAt: time,
  lineage: z
    .array(
      z.strictObject({
        at: time,
        event: z.enum(["RECEIVED", "REDRIVEN", "DEAD_AGAIN", "QUARANTINED", "DISCARDED"]),
        by: z.string(),
        reason: z.string().nullable(),
        executionId: z.string().nullable(),
      }),
    )
    .describe("What happened to it, oldest first."),
});

export const redriven = z.strictObject({
  id: z.string(),
  state: z.enum(DLQ_STATES),
  redriveCount: z.number().int(),
  executionId: z.string().nullable(),
  created: z.boolean().nullable(),
  error: z.string().nullable(),
  reasons: z.array(z.string()),
});

export const redrivePlan = z.strictObject({
  planId: z.string(),
  total: z.number().int().describe("How many dead letters will be sent."),
  leftOut: z.number().int().describe("Dead letters that match but may not be redriven."),
  byError: z.record(z.string(), z.number().int()),
  sample: z.array(
    z.strictObject({ id: z.string(), error: z.string(), redriveCount: z.number().int(), receivedAt: time }),
  ),
  expiresAt: time,
});

export const redrive = z.strictObject({
  redriveId: z.string(),
  state: z.enum(REDRIVE_STATES),
  total: z.number().int(),
  done: z.number().int(),
  redriven: z.number().int(),
  deadAgain: z.number().int(),
  leftOut: z.number().int().describe("Dead letters that changed after the plan was made."),
  ratePerSecond: z.number(),
  startedBy: z.string(),
  startedAt: time,
  finishedAt: time.nullable(),
});

export const redriveFilter = z.strictObject({
  error: text(100).optional().describe("Only those with this code."),
  source: z.enum(DLQ_SOURCES).optional().describe("Only those from this source."),
  from: time.optional().describe("Only those received from this time on."),
  to: time.optional().describe("Only those received before this time."),
});
