import * as z from "zod";
import { ATTEMPT_OUTCOMES, JOB_STATES } from "../job-states.ts";
import { auditRow } from "./audit.ts";
import { route } from "./route.ts";
import {
  availabilityFound,
  json,
  optionalReason,
  pageOf,
  paging,
  requiredReason,
  text,
  time,
} from "./wire.ts";

const jobId = z.strictObject({ id: text(100).describe("The job's UUID, or its ticket.") });

/** Which jobs are meant. Every member narrows. */
export const jobFilter = z.strictObject({
  queue: text(100).optional().describe("Jobs of this queue."),
  state: z.enum(JOB_STATES).optional().describe("Jobs in this state."),
  key: text(1_000).optional().describe("Jobs with this lane key."),
  name: text(200).optional().describe("Jobs of this kind."),
  tenantId: text(200).optional().describe("Jobs of this tenant."),
  from: time.optional().describe("Made at this time or later."),
  to: time.optional().describe("Made before this time."),
  fingerprint: text(200).optional().describe("Jobs whose last error has this fingerprint."),
  text: text(200)
    .optional()
    .describe("Found in the id, ticket, kind, key or error message; letters' case does not count."),
});

export const jobSummary = z.strictObject({
  id: z.string(),
  ticket: z.string(),
  queue: z.string(),
  name: z.string(),
  tenantId: z.string(),
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
});

const attempt = z.strictObject({
  number: z.number().int(),
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

const jobDetail = jobSummary.extend({
  payload: json,
  cursor: json,
  progress: json,
  result: json,
  resolution: z.strictObject({ actor: z.string(), reason: z.string().nullable(), at: time }).nullable(),
  history: z.array(attempt).describe("Every try that did not end in success, oldest first."),
  events: z.array(feedEvent).describe("What happened to it, oldest first; the last 100."),
  audit: z.array(auditRow).describe("Decisions about it, newest first; the last 100."),
  why,
  actions: z.array(z.enum(JOB_ACTIONS)).describe("What an operator may do with it now."),
});

const decided = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  id: z.string(),
  ticket: z.string(),
  state: z.enum(JOB_STATES).describe("Its state after the decision."),
});

const ON_ONE_JOB = ["JOB_NOT_FOUND", "JOB_STATE"] as const;

export const jobRoutes = {
  list: route({
    method: "GET",
    path: "/admin/jobs",
    access: "queue.read",
    summary: "Jobs by filter: waiting ones in the order they run, others newest first.",
    query: jobFilter.extend(paging),
    answer: pageOf(jobSummary),
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
    summary: "Why it is not running, in one sentence with the deciding rule.",
    params: jobId,
    answer: why,
    errors: ["JOB_NOT_FOUND"],
  }),
  retry: route({
    method: "POST",
    path: "/admin/jobs/:id/retry",
    access: "queue.operate",
    summary: "Queues a failed job again.",
    params: jobId,
    body: optionalReason,
    answer: decided,
    errors: ON_ONE_JOB,
  }),
  skip: route({
    method: "POST",
    path: "/admin/jobs/:id/skip",
    access: "queue.operate",
    summary: "Marks a failed job as settled by hand.",
    params: jobId,
    body: z.strictObject({ reason: requiredReason }),
    answer: decided.extend({ availabilityStatus: availabilityFound }),
    errors: ON_ONE_JOB,
  }),
  cancel: route({
    method: "POST",
    path: "/admin/jobs/:id/cancel",
    access: "queue.operate",
    summary: "Cancels a waiting job at once, a running one through its signal.",
    params: jobId,
    body: optionalReason,
    answer: decided,
    errors: ON_ONE_JOB,
  }),
  runNow: route({
    method: "POST",
    path: "/admin/jobs/:id/run-now",
    access: "queue.operate",
    summary: "Makes a scheduled job due now.",
    params: jobId,
    body: optionalReason,
    answer: decided,
    errors: ON_ONE_JOB,
  }),
};
