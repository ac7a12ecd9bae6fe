import * as z from "zod";
import { ATTEMPT_OUTCOMES, JOB_STATES, STAGE_STATUSES } from "../job-states.ts";
import { auditRow } from "./audit.ts";
import { route } from "./route.ts";
import {
  flag,
  heldDecision,
  json,
  optionalReason,
  organizationId,
  pageOf,
  pageQuery,
  paging,
  reason,
  requiredReason,
  shownDecision,
  text,
  time,
} from "./wire.ts";

const jobId = z.strictObject({ id: text(100).describe("The job's UUID, or its ticket.") });

/** Which jobs are meant: those that match every member given. */
export const jobFilter = z.strictObject({
  queue: text(100).optional().describe("Jobs of this queue."),
  state: z.enum(JOB_STATES).optional().describe("Jobs in this state."),
  key: text(1_000).optional().describe("Jobs with this lane key."),
  name: text(200).optional().describe("Jobs of this kind."),
  tenantId: text(200).optional().describe("Jobs of this tenant."),
  organizationId: organizationId.optional().describe("Jobs of this organisation."),
  from: time.optional().describe("Jobs added at this time or later."),
  to: time.optional().describe("Jobs added before this time."),
  fingerprint: text(200).optional().describe("Jobs whose last error has this fingerprint."),
  code: text(200).optional().describe("Jobs whose last error has this code."),
  text: text(200)
    .optional()
    .describe("Jobs with this text in the id, ticket, kind, key or error message, in upper or lower case."),
});

export const jobSummary = z.strictObject({
  id: z.string(),
  ticket: z.string(),
  queue: z.string(),
  name: z.string(),
  tenantId: z.string(),
  organizationId: z.string().nullable(),
  state: z.enum(JOB_STATES),
  keys: z.array(z.string()),
  seq: z.number().int().nullable(),
  priority: z.number().int(),
  attempts: z.number().int(),
  runAt: time.nullable(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  worker: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string(), fingerprint: z.string() }).nullable(),
  traceId: z.string().nullable(),
  stage: z.string().optional().describe("The stage that it is in; absent for a job without stages."),
  about: z
    .string()
    .nullable()
    .describe(
      "What it is about, as its app calls it, such as a file's name; null where its app does not say.",
    ),
  pendingDecision: shownDecision,
});

/** A stage that a job has reached; those not reached yet are absent. */
export const jobStage = z.strictObject({
  name: z.string(),
  status: z.enum(STAGE_STATUSES),
  attempts: z.number().int(),
  elapsedMs: z.number().int().describe("Time at work over all attempts; waiting does not count."),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});

const attempt = z.strictObject({
  number: z.number().int(),
  stage: z.string().nullable().describe("The stage of the attempt; null for a job without stages."),
  outcome: z.enum(ATTEMPT_OUTCOMES),
  worker: z.string(),
  startedAt: time,
  finishedAt: time,
  code: z.string().nullable(),
  message: z.string().nullable(),
  stack: z.string().nullable(),
});

const feedEvent = z.strictObject({
  id: z.number().int(),
  type: z.string().describe("`<noun>.<what happened>`, such as `job.failed`."),
  at: time,
  queue: z.string().nullable(),
  jobId: z.string().nullable(),
  data: z.record(z.string(), json),
});

const why = z.strictObject({
  jobId: z.string(),
  state: z.enum(JOB_STATES),
  rule: z.string().describe("The rule that decides, such as `queue.stopped-by-failure`."),
  sentence: z.string().describe("In the caller's language."),
  en: z.string(),
  ko: z.string(),
  facts: z.record(z.string(), json),
});

/** What an operator may do with one job. */
const JOB_ACTIONS = ["retry", "skip", "cancel", "run-now"] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

const wish = z.strictObject({ by: z.string(), reason: z.string().nullable(), requestedAt: time });

const bulkState = z.strictObject({
  cursor: json,
  processed: z.number().int(),
  total: z.number().int().nullable().describe("Null before the first start."),
  ratePerSecond: z.number().nullable(),
  estimatedEndAt: time.nullable(),
  lastChunkAt: time.nullable(),
  throttle: z.strictObject({ pauseMs: z.number(), maxPerSecond: z.number().nullable() }),
  queueMaxPerSecond: z.number().nullable(),
  slowed: z.strictObject({ averageMs: z.number(), limitMs: z.number() }).nullable(),
  abort: wish.nullable(),
  receipt: wish
    .extend({
      outcome: z.enum(["aborted", "done"]),
      stoppedAt: time,
      cursor: json,
      processed: z.number().int(),
      total: z.number().int().nullable(),
    })
    .nullable(),
  resumedAt: time.nullable(),
});

const jobDetail = jobSummary.extend({
  payload: json,
  cursor: json,
  progress: json,
  result: json,
  resolution: z.strictObject({ actor: z.string(), reason: z.string().nullable(), at: time }).nullable(),
  bulk: bulkState.nullable().describe("How far a bulk job has come; null for other jobs."),
  stages: z.array(jobStage).optional().describe("The stages that it has reached, in their order."),
  outputs: z.record(z.string(), json).optional().describe("What its completed stages returned, by name."),
  awaits: z
    .strictObject({ event: z.string(), until: time.nullable() })
    .optional()
    .describe("What a parked job waits for, and until when."),
  cancelling: z
    .strictObject({ actor: z.string(), reason: z.string().nullable() })
    .optional()
    .describe("Who cancelled it, while its completed stages are rolled back."),
  history: z.array(attempt).describe("Every attempt that did not succeed, oldest first."),
  events: z.array(feedEvent).describe("What happened to it, oldest first; the last 100."),
  audit: z.array(auditRow).describe("Decisions about it, newest first; the last 100."),
  why,
  actions: z.array(z.enum(JOB_ACTIONS)).describe("What an operator may do with it now."),
});

const runningJob = jobSummary.extend({
  progress: json.describe("What its handler reports; null where it reports nothing."),
  bulk: z
    .strictObject({ processed: z.number().int(), total: z.number().int().nullable() })
    .nullable()
    .describe("How far a bulk job has come; null for other jobs."),
});

const decided = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  id: z.string(),
  ticket: z.string(),
  state: z.enum(JOB_STATES).describe("Its state after the decision."),
});

/** The answer, with 202, where the decision is held back. */
const heldBack = decided.extend({ pendingDecision: heldDecision });

const ON_ONE_JOB = ["JOB_NOT_FOUND", "JOB_STATE"] as const;

export const jobRoutes = {
  list: route({
    method: "GET",
    path: "/admin/jobs",
    access: "queue.read",
    summary: "Jobs by filter: waiting ones in the order they run, others newest first.",
    query: jobFilter.extend({
      ...paging,
      reverse: flag
        .optional()
        .describe(
          "`true`: in reverse order. Allowed without a filter, or with exactly `queue` and `state` (not `done` or `blocked`). Default: false.",
        ),
      cursor: z
        .string()
        .regex(/^(newest|\d{1,15})$/)
        .optional()
        .describe("Continues a search: the `cursor` of the previous answer. `page` is then ignored."),
    }),
    answer: pageOf(jobSummary).extend({
      cursor: z
        .string()
        .optional()
        .describe("Present where not all jobs were searched: give it as `cursor` to continue, newest first."),
      searchedTo: time
        .optional()
        .describe("Jobs added at this time or later were all searched; older ones were not."),
    }),
    errors: ["PP-403-SCOPE"],
  }),
  running: route({
    method: "GET",
    path: "/admin/jobs/running",
    access: "queue.read",
    summary: "Running jobs with their progress, the longest-running first.",
    query: pageQuery.extend({ queue: text(100).optional().describe("Jobs of this queue.") }),
    answer: pageOf(runningJob),
  }),
  counts: route({
    method: "GET",
    path: "/admin/jobs/counts",
    access: "queue.read",
    summary: "How many jobs match a filter, by state.",
    query: jobFilter.omit({ state: true }),
    answer: z.strictObject({
      counts: z.record(z.enum(JOB_STATES), z.number().int()),
      more: z
        .literal(true)
        .optional()
        .describe("Present where not all jobs were searched: any state may have more jobs than its count."),
    }),
    errors: ["PP-403-SCOPE"],
  }),
  show: route({
    method: "GET",
    path: "/admin/jobs/:id",
    access: "queue.read",
    summary: "One job with its attempts, events and audit, and why it is not running.",
    params: jobId,
    answer: jobDetail,
    errors: ["JOB_NOT_FOUND"],
  }),
  why: route({
    method: "GET",
    path: "/admin/jobs/:id/why",
    access: "queue.read",
    summary: "Why a job is not running: one sentence, and the rule that decides.",
    params: jobId,
    answer: why,
    errors: ["JOB_NOT_FOUND"],
  }),
  retry: route({
    method: "POST",
    path: "/admin/jobs/:id/retry",
    access: "queue.operate",
    summary: "Queues a failed job again, at its old place, with fresh attempts.",
    params: jobId,
    body: optionalReason,
    answer: decided,
    errors: ON_ONE_JOB,
  }),
  skip: route({
    method: "POST",
    path: "/admin/jobs/:id/skip",
    access: "queue.operate",
    summary: "Skips a failed job. The answer also has what the queue's app checked before.",
    params: jobId,
    body: z.strictObject({ reason: requiredReason }),
    answer: decided.catchall(json),
    accepted: heldBack,
    errors: [...ON_ONE_JOB, "DECISION_PENDING"],
  }),
  cancel: route({
    method: "POST",
    path: "/admin/jobs/:id/cancel",
    access: "queue.operate",
    summary:
      "Cancels a waiting job at once, a running one through its signal or at the end of its stage. Completed stages that can be rolled back are rolled back first.",
    params: jobId,
    body: z
      .strictObject({
        reason: reason.optional(),
        at: z
          .enum(["now", "boundary"])
          .optional()
          .describe(
            "`now`: a running job is stopped through its signal. `boundary`: it ends when its stage is completed. Default: `now`.",
          ),
      })
      .prefault({}),
    answer: decided,
    accepted: heldBack,
    errors: [...ON_ONE_JOB, "DECISION_PENDING"],
  }),
  runNow: route({
    method: "POST",
    path: "/admin/jobs/:id/run-now",
    access: "queue.operate",
    summary: "Makes a scheduled job due now, also one that waits for its next attempt.",
    params: jobId,
    body: optionalReason,
    answer: decided,
    errors: ON_ONE_JOB,
  }),
};
