// The API of any queue, one table in one file: the shapes stand beside the routes that answer with them.
import * as z from "zod";
import { QUEUE_STATES } from "../job-states.ts";
import { acceptedOperation } from "./operations.ts";
import { queueRoute, route } from "./route.ts";
import {
  availabilityFound,
  json,
  optionalReason,
  pageOf,
  pageQuery,
  reason,
  requiredReason,
  text,
  time,
} from "./wire.ts";

/** The operator API of one queue, one table in one file: the shapes stand beside the routes that answer with them. */

const ticket = z.strictObject({
  jobId: text(100).describe("The job's ticket; its UUID is understood too."),
});

const counts = {
  waiting: z.number().int().describe("Jobs that wait for their turn; not those that wait for a time."),
  active: z.number().int().describe("Jobs that run now."),
  failed: z.number().int().describe("Jobs that finally failed and stand until a person decides."),
  completed: z.number().int().describe("Jobs done since the beginning."),
  delayed: z.number().int().describe("Jobs that wait out a back-off, or for a later time."),
};
const pause = {
  pausedAt: time.nullable(),
  pauseReason: z.string().nullable(),
};

/** The seed's own shape (A5): these eight members and no other. */
const queueStatus = z.strictObject({ isPaused: z.boolean(), ...counts, ...pause });

const queueOverview = z.strictObject({
  queue: z.string(),
  state: z.enum(QUEUE_STATES),
  mode: z.enum(["lanes", "serial"]).nullable().describe("Null where this process does not define the queue."),
  isPaused: z.boolean(),
  ...counts,
  ...pause,
  pausedBy: z.string().nullable(),
  stopId: z.string().nullable().describe("The certificate of the stop."),
  failedJobId: z
    .string()
    .nullable()
    .describe("The UUID of the job whose failure stopped the queue; null where it is another tenant's."),
  degradedAt: time.nullable(),
  probeJobId: z
    .string()
    .nullable()
    .describe("The job that tests a sick destination; null where it is another tenant's."),
  heldLanes: z
    .number()
    .int()
    .nullable()
    .describe("Null for a key with a tenant: nobody counts them per tenant."),
  oldestWaitingAt: time.nullable().describe("When the job that is next in line was made."),
  donePerMinute: z
    .number()
    .nullable()
    .describe("Jobs done in the last minute; null for a key with a tenant: nobody counts them per tenant."),
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
          .describe("A loss by a dying worker is not charged: the next attempt has the same number."),
        error: z.string().describe("The error's code where it has one; `LOST` where the worker died."),
        timestamp: time,
      }),
    )
    .describe("The attempts since it was last queued by hand, with those that dying workers lost."),
  createdAt: time,
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
    .describe("How a job with the same fingerprint was settled last."),
});

const newJob = z
  .strictObject({
    payload: json.optional().describe("What the handler gets. Default: null."),
    name: text(200).optional().describe("What kind of job of the queue it is. Default: the queue's name."),
    key: text(1_000).optional().describe("The lane."),
    keys: z.array(text(1_000)).max(100).optional().describe("Several lanes; not together with `key`."),
    priority: z
      .number()
      .int()
      .min(-1_000_000)
      .max(1_000_000)
      .optional()
      .describe("Higher runs earlier, but never past its lane. Default: 0."),
    runAt: time.optional().describe("Not before this time."),
    delay: z
      .union([z.number().min(0), z.string()])
      .optional()
      .describe("Not before this long from now: milliseconds, or a text such as `5m`."),
    idempotencyKey: text(1_000).optional().describe("A second job with the same key is not made."),
    tenantId: text(200).optional().describe("Whose job it is. Default: the key's tenant, else `default`."),
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
  overview: queueRoute({
    method: "GET",
    path: "",
    access: "queue.read",
    summary: "One queue: state, counts, since when and why it stands, what waits.",
    answer: queueOverview,
    errors: ["QUEUE_NOT_FOUND"],
  }),
  status: queueRoute({
    short: true,
    method: "GET",
    path: "/status",
    access: "queue.read",
    summary: "Whether the queue is paused, and its five counts.",
    answer: queueStatus,
    errors: ["QUEUE_NOT_FOUND"],
  }),
  failed: queueRoute({
    short: true,
    method: "GET",
    path: "/failed",
    access: "queue.read",
    summary: "Failed jobs, newest first.",
    query: pageQuery,
    answer: pageOf(failedItem),
    errors: ["QUEUE_NOT_FOUND"],
  }),
  failedJob: queueRoute({
    short: true,
    method: "GET",
    path: "/failed/:jobId",
    access: "queue.read",
    summary: "One failed job with its attempts and stack trace.",
    params: ticket,
    answer: failedDetail,
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND"],
  }),
  event: queueRoute({
    short: true,
    method: "GET",
    path: "/events/:syncEventId",
    access: "queue.read",
    summary: "One event by its UUID, whatever its state.",
    params: z.strictObject({ syncEventId: text(100) }),
    answer: syncEvent,
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND"],
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
    errors: ["QUEUE_NOT_FOUND"],
  }),
  resume: queueRoute({
    short: true,
    method: "POST",
    path: "/resume",
    access: "queue.operate",
    reach: "whole",
    summary: "Lets a stopped queue go on.",
    body: optionalReason,
    answer: z.strictObject({
      success,
      changed: z.boolean(),
      message: z.string(),
      pendingJobs: z.number().int().describe("Jobs that wait for their turn: `waiting` of the status."),
      unresolvedFailed: z.number().int().describe("Failed jobs that still stand."),
      resumedAt: time,
    }),
    errors: ["QUEUE_NOT_FOUND", "RESUME_UNRESOLVED"],
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
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "JOB_STATE"],
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
    errors: ["QUEUE_NOT_FOUND"],
  }),
  skip: queueRoute({
    short: true,
    method: "POST",
    path: "/skip/:jobId",
    access: "queue.operate",
    summary: "Marks a failed job as settled by hand.",
    params: ticket,
    body: z.strictObject({
      reason: requiredReason,
      resolvedBy: z.string().optional().describe("Ignored: it is always the caller."),
    }),
    answer: z.strictObject({
      success,
      message: z.string(),
      jobId: z.string(),
      syncEventId: z.string(),
      newStatus: z.literal("MANUALLY_RESOLVED"),
      availabilityStatus: availabilityFound,
    }),
    errors: ["QUEUE_NOT_FOUND", "JOB_NOT_FOUND", "JOB_STATE"],
  }),
  skipAllAndResume: queueRoute({
    short: true,
    method: "POST",
    path: "/skip-all-and-resume",
    access: "queue.operate",
    reach: "whole",
    summary:
      "Marks every failed job as settled by hand and resumes the queue, which opens only when the last one is settled.",
    body: z.strictObject({ reason: requiredReason }),
    answer: z.strictObject({
      success,
      skippedCount: z.number().int(),
      message: z.string(),
      resumedAt: time,
    }),
    accepted: acceptedOperation,
    errors: ["QUEUE_NOT_FOUND"],
  }),
  fingerprints: queueRoute({
    method: "GET",
    path: "/fingerprints",
    access: "queue.read",
    summary: "Failed jobs grouped by what went wrong, the largest group first.",
    query: pageQuery,
    answer: pageOf(fingerprint),
    errors: ["QUEUE_NOT_FOUND"],
  }),
  add: queueRoute({
    method: "POST",
    path: "/jobs",
    access: "queue.operate",
    summary:
      "Adds a job to a queue of the configuration. Those of the host and of apps get theirs from there.",
    status: 201,
    body: newJob,
    answer: z.strictObject({
      id: z.string(),
      ticket: z.string(),
      created: z
        .boolean()
        .describe("False where the idempotency key was known: `id` is the job that has it."),
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
    errors: ["QUEUE_NOT_FOUND", "QUEUE_IN_USE"],
  }),
  purge: queueRoute({
    method: "POST",
    path: "/purge",
    access: "queue.operate",
    reach: "whole",
    summary: "Deletes ended jobs that are older than the queue keeps them. Failed jobs are never deleted.",
    body: optionalReason,
    answer: z.strictObject({ success, purgedCount: z.number().int(), message: z.string() }),
    errors: ["QUEUE_NOT_FOUND"],
  }),
};
