// The API of any queue, one table in one file: the shapes are beside the routes that answer with them.
import * as z from "zod";
import { HISTORY_STEP_NAMES } from "../history.ts";
import { QUEUE_STATES } from "../job-states.ts";
import { LARGEST_WAVE, MOST_WAVES } from "../ramp.ts";
import { REHEARSED_JOBS } from "../rehearsal.ts";
import { jobStage } from "./jobs.ts";
import { acceptedOperation } from "./operations.ts";
import { queueRoute, route } from "./route.ts";
import {
  flag,
  heldDecision,
  json,
  optionalReason,
  organizationId,
  pageOf,
  pageQuery,
  reason,
  requiredReason,
  text,
  time,
} from "./wire.ts";

const ticket = z.strictObject({
  jobId: text(100).describe("The job's ticket or UUID."),
});

const counts = {
  waiting: z.number().int().describe("Jobs that wait for their turn; not those that wait for a time."),
  active: z.number().int().describe("Jobs that run now."),
  failed: z.number().int().describe("Jobs that finally failed and wait for a person to decide."),
  completed: z.number().int().describe("Jobs done since the beginning."),
  delayed: z
    .number()
    .int()
    .describe("Jobs that wait out a back-off, for a later time, or parked for an event from outside."),
};
const pause = {
  pausedAt: time.nullable(),
  pauseReason: z.string().nullable(),
};

/** The answer of `/status` has these eight members and no others. */
const queueStatus = z.strictObject({ isPaused: z.boolean(), ...counts, ...pause });

const waves = z
  .array(z.int().min(1).max(LARGEST_WAVE))
  .min(1)
  .max(MOST_WAVES)
  .describe("How many jobs each wave starts.");
const ramp = z
  .strictObject({
    wave: z.int().describe("The present wave, from 1."),
    waves,
    started: z.int().describe("Jobs that the present wave has started."),
    done: z.int().describe("Those of them that have ended without a failure."),
    failed: z.int(),
  })
  .nullable()
  .describe("The progress of a ramped resume; null without one.");

const queueOverview = z.strictObject({
  queue: z.string(),
  state: z.enum(QUEUE_STATES),
  mode: z.enum(["lanes", "serial"]).nullable().describe("Null where this process does not define the queue."),
  isSystem: z.boolean().describe("Whether it does work of Andon itself, such as the delivery of alerts."),
  isPaused: z.boolean(),
  ...counts,
  ...pause,
  pausedBy: z.string().nullable(),
  stopId: z.string().nullable().describe("The certificate of the stop."),
  failedJobId: z
    .string()
    .nullable()
    .describe(
      "The job whose failure stopped the queue: its UUID, or BullMQ's id in a queue that BullMQ runs; null where it is another tenant's.",
    ),
  degradedAt: time.nullable(),
  probeJobId: z
    .string()
    .nullable()
    .describe(
      "The job that tests the failing destination; null without one, and where it is another tenant's.",
    ),
  ramp,
  heldLanes: z
    .number()
    .int()
    .nullable()
    .describe("Null for a key with a tenant: they are not counted per tenant."),
  oldestWaitingAt: time.nullable().describe("When the next waiting job was added."),
  donePerMinute: z
    .number()
    .nullable()
    .describe("Jobs done in the last minute; null for a key with a tenant: they are not counted per tenant."),
  bullmq: z
    .strictObject({
      failedReason: z.string().nullable().describe("The error of the job that stopped the queue."),
      runningAtStop: z
        .number()
        .int()
        .nullable()
        .describe("Other jobs that were running at the stop; they finish."),
      problem: z
        .string()
        .nullable()
        .describe("Why the state of the queue is unknown: its Redis does not answer. All counts are then 0."),
    })
    .nullable()
    .describe("What only a queue that BullMQ runs has; null for queues of Andon."),
});

const failedItem = z.strictObject({
  jobId: z.string().describe("The ticket."),
  syncEventId: z.string().describe("The job's UUID."),
  aggregateType: z.string(),
  aggregateId: z.string(),
  eventType: z.string(),
  failedReason: z.string(),
  attemptsMade: z.number().int(),
  failedAt: time,
  data: json,
});

const failedDetail = failedItem.omit({ data: true }).extend({
  payload: json,
  stackTrace: z.string().nullable(),
  attempts: z
    .array(
      z.strictObject({
        attemptNumber: z
          .number()
          .int()
          .describe("An attempt whose worker died is not charged: the next one has the same number."),
        error: z.string().describe("The error's code where it has one; `LOST` where the worker died."),
        timestamp: time,
      }),
    )
    .describe("The attempts since it was last queued by hand, including those whose worker died."),
  createdAt: time,
  stage: z.string().optional().describe("The stage that it failed in; absent for a job without stages."),
  stages: z.array(jobStage).optional().describe("The stages that it has reached, in their order."),
});

const SYNC_STATUSES = ["PENDING", "PROCESSING", "DONE", "FAILED", "MANUALLY_RESOLVED"] as const;

const syncEvent = z.strictObject({
  syncEventId: z.string(),
  jobId: z.string(),
  queue: z.string(),
  aggregateType: z.string(),
  aggregateId: z.string(),
  eventType: z.string(),
  status: z.enum(SYNC_STATUSES),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  payload: json,
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  resolvedBy: z.string().nullable(),
  resolvedAt: time.nullable(),
  resolutionNote: z.string().nullable(),
});

const success = z.literal(true);

const resumeBody = z
  .strictObject({
    reason: reason.optional(),
    ramp: z
      .union([z.boolean(), z.strictObject({ waves })])
      .optional()
      .describe(
        "Resumes in waves: `true` for waves of 1, 10 and 100 jobs, or `{ waves }` with their sizes. A wave starts when every job of the one before has ended; the first failed attempt stops the queue again. Default: all at once.",
      ),
  })
  .prefault({});

const fingerprint = z.strictObject({
  fingerprint: z.string(),
  code: z.string(),
  message: z.string().describe("The message of the newest of them."),
  count: z.number().int(),
  firstAt: time,
  lastAt: time,
  newestJobId: z.string(),
  lastResolution: z
    .strictObject({ actor: z.string(), reason: z.string().nullable(), at: time })
    .nullable()
    .describe("The last decision about a job with the same fingerprint."),
  runbook: z.string().describe("The runbook: an address, or a path in the documentation."),
  remedies: z
    .strictObject({
      retried: z.number().int(),
      worked: z.number().int().describe("Retries after which the job was completed."),
      failedAgain: z.number().int(),
      skipped: z.number().int(),
      last: z.array(
        z.strictObject({
          action: z.enum(["retry", "skip"]),
          actor: z.string(),
          reason: z.string().nullable(),
          at: time,
          worked: z.boolean().nullable().describe("Null for a skip, and while the outcome is open."),
        }),
      ),
    })
    .describe(
      "What people did about failures of this cause, and whether it helped; from the last decisions.",
    ),
});

const historyCount = z.number().int();
const historyTime = z.number().nullable();
const historyPoint = z.strictObject({
  at: time.describe("When the step began."),
  added: historyCount.describe("Jobs added."),
  done: historyCount.describe("Jobs done."),
  failed: historyCount.describe("Jobs that finally failed."),
  attemptsFailed: historyCount.describe("Attempts that failed, also those that were not charged."),
  waitP50: historyTime.describe(
    "The wait from a job's due time to its first start, in milliseconds; null where none started.",
  ),
  waitP95: historyTime,
  runP50: historyTime.describe("How long an attempt took, in milliseconds; null where none ended."),
  runP95: historyTime,
  waiting: historyCount.nullable().describe("A sample; null while no worker process ran."),
  running: historyCount.nullable().describe("A sample; null while no worker process ran."),
});

const rehearsal = z.strictObject({
  destination: z.strictObject({
    ok: z
      .boolean()
      .nullable()
      .describe(
        "Whether the destination would take jobs now; null where the queue does not define how it is asked.",
      ),
    latencyMs: z.number().int().nullable().describe("How long it took to answer."),
    problem: z.string().nullable(),
  }),
  next: z
    .array(
      z.strictObject({
        jobId: z.string().describe("The ticket."),
        syncEventId: z.string().describe("The job's UUID."),
        checks: z
          .array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string().nullable() }))
          .describe("What was checked. A job with a check that is not ok will fail."),
      }),
    )
    .describe("The jobs that would start first, in their order."),
  estimatedMs: z
    .number()
    .int()
    .nullable()
    .describe(
      "How long all waiting jobs would take at the pace of the history, in milliseconds; null where the history has no pace.",
    ),
});

const newJob = z
  .strictObject({
    payload: json.optional().describe("What the handler gets. Default: null."),
    name: text(200).optional().describe("The kind of the job. Default: the queue's name."),
    key: text(1_000)
      .optional()
      .describe("The key of its lane: jobs of one key run in order, one at a time. Default: none."),
    keys: z
      .array(text(1_000))
      .max(100)
      .optional()
      .describe("The keys of several lanes, at most 100; not together with `key`. Default: none."),
    priority: z
      .number()
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .optional()
      .describe(
        "Higher runs earlier, but never before an earlier job of its lane. From -1,000,000 to 1,000,000. Default: 0.",
      ),
    runAt: time.optional().describe("Not before this time; not together with `delay`. Default: at once."),
    delay: z
      .union([z.number().min(0), z.string()])
      .optional()
      .describe("Not before this long from now: milliseconds, or a text such as `5m`. Default: at once."),
    idempotencyKey: text(1_000)
      .optional()
      .describe(
        "A second job with this key in the same queue and tenant is not added: the first one is answered.",
      ),
    tenantId: text(200).optional().describe("The tenant of the job. Default: the caller's, else `default`."),
    organizationId: organizationId
      .optional()
      .describe("The organisation of the tenant. Default: the caller's, else none."),
    reason: reason.optional(),
  })
  .prefault({});

export const queueRoutes = {
  list: route({
    method: "GET",
    path: "/admin/queues",
    access: "queue.read",
    summary: "Every queue with its state and counts.",
    query: pageQuery,
    answer: pageOf(queueOverview),
  }),
  recent: route({
    method: "GET",
    path: "/admin/history",
    access: "queue.read",
    reach: "whole",
    summary: "How many jobs of every queue were done, and how many failed, in each minute of the last hour.",
    answer: z.strictObject({
      from: time.describe("When the first minute began."),
      queues: z
        .array(
          z.strictObject({
            queue: z.string(),
            done: z.array(historyCount).describe("One number per minute, the running one included."),
            failed: z.array(historyCount),
          }),
        )
        .describe("Queues in which something ended."),
    }),
  }),
  overview: queueRoute({
    method: "GET",
    path: "",
    access: "queue.read",
    summary: "One queue: state, counts, since when and why it is stopped, and since when the next job waits.",
    answer: queueOverview,
    errors: ["QUEUE_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  status: queueRoute({
    short: true,
    method: "GET",
    path: "/status",
    access: "queue.read",
    summary: "Whether the queue is paused, and its five counts.",
    answer: queueStatus,
    errors: ["QUEUE_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  failed: queueRoute({
    short: true,
    method: "GET",
    path: "/failed",
    access: "queue.read",
    summary: "Failed jobs, newest first.",
    query: pageQuery,
    answer: pageOf(failedItem),
    errors: ["QUEUE_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  failedJob: queueRoute({
    short: true,
    method: "GET",
    path: "/failed/:jobId",
    access: "queue.read",
    summary: "One failed job with its attempts and stack trace.",
    params: ticket,
    answer: failedDetail,
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  event: queueRoute({
    short: true,
    method: "GET",
    path: "/events/:syncEventId",
    access: "queue.read",
    summary: "One job by its UUID, in any state, as a sync event.",
    params: z.strictObject({ syncEventId: text(100) }),
    answer: syncEvent,
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  history: queueRoute({
    short: true,
    method: "GET",
    path: "/history",
    access: "queue.read",
    reach: "whole",
    summary: "Counts and times of the queue by the minute or the hour, as JSON or CSV.",
    query: z.strictObject({
      from: time.optional().describe("The start of the range. Default: 60 steps before `to`."),
      to: time.optional().describe("The end of the range. Default: now, with the current step included."),
      step: z
        .enum(HISTORY_STEP_NAMES)
        .default("1m")
        .describe("The length of a step: a minute or an hour. At most 11,000 steps."),
      format: z
        .enum(["json", "csv"])
        .optional()
        .describe("The format of the answer. Default: the one that the header `Accept` asks for, else JSON."),
    }),
    answer: z.strictObject({
      queue: z.string(),
      step: z.enum(HISTORY_STEP_NAMES),
      points: z.array(historyPoint).describe("One per step, also for a step in which nothing happened."),
    }),
    errors: ["QUEUE_NOT_FOUND", "HISTORY_RANGE", "HISTORY_TOO_LONG"],
  }),
  pause: queueRoute({
    short: true,
    method: "POST",
    path: "/pause",
    access: "queue.operate",
    reach: "whole",
    summary: "Pauses the queue by hand; running jobs finish.",
    body: optionalReason,
    answer: z.strictObject({
      success,
      changed: z.boolean(),
      message: z.string(),
      pausedAt: time,
      pauseReason: z.string(),
    }),
    errors: ["QUEUE_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  resume: queueRoute({
    short: true,
    method: "POST",
    path: "/resume",
    access: "queue.operate",
    reach: "whole",
    summary: "Resumes a stopped queue, at once or in waves.",
    body: resumeBody,
    answer: z.strictObject({
      success,
      changed: z.boolean(),
      message: z.string(),
      pendingJobs: z.number().int().describe("Jobs that wait for their turn: `waiting` of the status."),
      unresolvedFailed: z.number().int().describe("Failed jobs that nobody has retried or skipped yet."),
      resumedAt: time,
    }),
    errors: ["QUEUE_NOT_FOUND", "RESUME_UNRESOLVED", "BULLMQ_UNAVAILABLE"],
  }),
  // It asks the destination, which is work for it: the permission to read the queue is not enough.
  rehearse: queueRoute({
    short: true,
    method: "POST",
    path: "/rehearse",
    access: "queue.operate",
    reach: "whole",
    summary:
      "Shows what a resume would meet: the state of the destination, and the next jobs with their checks. Changes nothing.",
    query: z.strictObject({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .default(REHEARSED_JOBS.preset)
        .transform((limit) => Math.min(limit, REHEARSED_JOBS.most))
        .describe(`How many of the next jobs to check; at most ${REHEARSED_JOBS.most}.`),
      retryFailed: flag
        .default(false)
        .describe("`true`: as if every failed job were retried first. Default: false."),
    }),
    answer: rehearsal,
    errors: ["QUEUE_NOT_FOUND"],
  }),
  retry: queueRoute({
    short: true,
    method: "POST",
    path: "/retry/:jobId",
    access: "queue.operate",
    summary: "Queues a failed job again, at its old place, with fresh attempts.",
    params: ticket,
    body: optionalReason,
    answer: z.strictObject({
      success,
      message: z.string(),
      jobId: z.string(),
      newJobId: z.string(),
      syncEventId: z.string(),
    }),
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "JOB_STATE", "BULLMQ_UNAVAILABLE"],
  }),
  retryAll: queueRoute({
    short: true,
    method: "POST",
    path: "/retry-all",
    access: "queue.operate",
    reach: "whole",
    summary: "Queues every failed job again; does not resume the queue.",
    body: optionalReason,
    answer: z.strictObject({ success, retriedCount: z.number().int(), message: z.string() }),
    accepted: acceptedOperation,
    errors: ["QUEUE_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  skip: queueRoute({
    short: true,
    method: "POST",
    path: "/skip/:jobId",
    access: "queue.operate",
    summary: "Skips a failed job. The answer also has what the queue's app checked before.",
    params: ticket,
    body: z.strictObject({
      reason: requiredReason,
      resolvedBy: z.string().optional().describe("Ignored: the audit log always names the caller."),
    }),
    answer: z
      .strictObject({
        success,
        message: z.string(),
        jobId: z.string(),
        syncEventId: z.string(),
        newStatus: z.literal("MANUALLY_RESOLVED"),
      })
      .catchall(json),
    accepted: z.strictObject({
      success,
      message: z.string(),
      jobId: z.string(),
      syncEventId: z.string(),
      pendingDecision: heldDecision,
    }),
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "JOB_STATE", "DECISION_PENDING", "BULLMQ_UNAVAILABLE"],
  }),
  skipAllAndResume: queueRoute({
    short: true,
    method: "POST",
    path: "/skip-all-and-resume",
    access: "queue.operate",
    reach: "whole",
    summary: "Skips every failed job and resumes the queue, which opens only when the last one is skipped.",
    body: z.strictObject({ reason: requiredReason }),
    answer: z.strictObject({
      success,
      skippedCount: z.number().int(),
      message: z.string(),
      resumedAt: time,
    }),
    accepted: acceptedOperation,
    errors: ["QUEUE_NOT_FOUND", "BULLMQ_UNAVAILABLE"],
  }),
  fingerprints: queueRoute({
    method: "GET",
    path: "/fingerprints",
    access: "queue.read",
    summary:
      "Failed jobs grouped by cause, the largest group first, with the runbook and the results of earlier decisions.",
    query: pageQuery,
    answer: pageOf(fingerprint),
    errors: ["QUEUE_NOT_FOUND"],
  }),
  add: queueRoute({
    method: "POST",
    path: "/jobs",
    access: "queue.operate",
    summary:
      "Adds a job to a queue of the setting `queues`. Jobs of other queues come from the app or the server that owns the queue (`JOBS_FROM_APP`).",
    status: 201,
    body: newJob,
    answer: z.strictObject({
      id: z.string(),
      ticket: z.string(),
      created: z
        .boolean()
        .describe("False where the idempotency key was known already: `id` is the job that has it."),
      seq: z.number().int().nullable(),
    }),
    errors: ["QUEUE_NOT_FOUND", "JOBS_FROM_APP", "PAYLOAD_INVALID", "PP-403-SCOPE"],
  }),
  deleteJob: queueRoute({
    method: "DELETE",
    path: "/jobs/:jobId",
    access: "queue.operate",
    summary:
      "Deletes an ended or failed job for good, with its attempts, idempotency key and events. The audit log says who did it and why.",
    params: ticket,
    query: z.strictObject({ reason: requiredReason }),
    answer: z.strictObject({ success, message: z.string(), id: z.string(), ticket: z.string() }),
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "JOB_STATE"],
  }),
  deleteQueue: queueRoute({
    method: "DELETE",
    path: "",
    access: "queue.operate",
    reach: "whole",
    summary: "Deletes a stopped queue that nobody works, with all its jobs and history. The audit log stays.",
    query: z.strictObject({ reason: requiredReason }),
    answer: z.strictObject({ success, message: z.string(), deletedCount: z.number().int() }),
    accepted: acceptedOperation,
    errors: ["QUEUE_NOT_FOUND", "QUEUE_IN_USE"],
  }),
  purge: queueRoute({
    method: "POST",
    path: "/purge",
    access: "queue.operate",
    reach: "whole",
    summary:
      "Deletes ended jobs that are older than the queue's `keep`. Failed and aborted jobs are never deleted.",
    body: optionalReason,
    answer: z.strictObject({ success, purgedCount: z.number().int(), message: z.string() }),
    accepted: acceptedOperation,
    errors: ["QUEUE_NOT_FOUND"],
  }),
};
