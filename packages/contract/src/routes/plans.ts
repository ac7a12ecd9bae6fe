import * as z from "zod";
import { JOB_STATES } from "../job-states.ts";
import { jobFilter, jobSummary } from "./jobs.ts";
import { acceptedOperation } from "./operations.ts";
import { route } from "./route.ts";
import { optionalReason, reason, text, time } from "./wire.ts";

/** Actions on many jobs. A plan freezes the set and shows its effect; applying it does exactly that, or nothing. */
export const PLAN_ACTIONS = ["retry", "skip", "cancel"] as const;

/** Most jobs of one plan. */
export const MOST_PLANNED = 1_000_000;
/** Most jobs that a plan names one by one: as many as fit into a request. */
export const MOST_NAMED = 10_000;

const plan = z.strictObject({
  id: z.string(),
  action: z.enum(PLAN_ACTIONS),
  queue: z.string(),
  state: z.enum(["OPEN", "APPLIED", "EXPIRED"]),
  actor: z.string(),
  reason: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  appliedAt: time.nullable(),
  count: z.number().int().describe("Jobs in the frozen set."),
  reach: z
    .strictObject({
      byState: z.partialRecord(z.enum(JOB_STATES), z.number().int()),
      lanesOpened: z.number().int().describe("Held lanes that it opens."),
      waitingBehind: z.number().int().describe("Jobs that wait in those lanes."),
      queueStopped: z
        .boolean()
        .describe("Whether the queue is stopped: retried jobs then run only after it is resumed."),
      leftOut: z
        .number()
        .int()
        .describe("Jobs that match the filter but whose state does not allow the action."),
    })
    .describe("What it would do."),
  sample: z.array(jobSummary).describe("The first 20 of the set."),
});

const planId = z.strictObject({ id: text(100) });

export const planRoutes = {
  create: route({
    method: "POST",
    path: "/admin/plans",
    access: "queue.operate",
    summary:
      "Freezes the list of jobs that match, and shows what the action would do. Changes nothing. Valid for 15 minutes.",
    status: 201,
    body: z
      .strictObject({
        action: z.enum(PLAN_ACTIONS).describe("The action on these jobs."),
        queue: text(100).describe("The queue of the jobs."),
        filter: jobFilter
          .omit({ queue: true })
          .optional()
          .describe(
            "Jobs that match every member. Without `filter` and `ids`: every job of the queue that allows the action, at most 1,000,000.",
          ),
        ids: z
          .array(text(100))
          .min(1)
          .max(MOST_NAMED)
          .optional()
          .describe("UUIDs of the jobs, at most 10,000; not together with `filter`."),
        reason: reason.optional(),
      })
      .refine(({ ids, filter }) => ids === undefined || filter === undefined, {
        path: ["filter"],
        params: { en: "either ids or filter", ko: "ids와 filter 중 하나만 쓸 수 있습니다" },
      }),
    answer: plan,
    errors: ["QUEUE_NOT_FOUND", "PLAN_TOO_LARGE", "PLAN_EMPTY", "REASON_REQUIRED", "PP-403-SCOPE"],
  }),
  show: route({
    method: "GET",
    path: "/admin/plans/:id",
    access: "queue.read",
    summary: "A plan: its effect, and the first 20 jobs of its list.",
    params: planId,
    answer: plan,
    errors: ["PLAN_NOT_FOUND"],
  }),
  apply: route({
    method: "POST",
    path: "/admin/plans/:id/apply",
    access: "queue.operate",
    summary:
      "Applies the action to exactly the jobs of the list, or to none (`PLAN_STALE`) if one of them has changed since. In a large plan, jobs that change while it is applied are left out.",
    params: planId,
    body: optionalReason,
    answer: z.strictObject({
      success: z.literal(true),
      message: z.string(),
      appliedCount: z.number().int(),
      requestedCount: z.number().int().describe("Running jobs that were asked to stop."),
      appliedAt: time,
      leftOut: z
        .strictObject({ count: z.number().int(), jobs: z.array(z.string()) })
        .describe("Jobs that changed after the set was checked; ids of the first 100."),
    }),
    accepted: acceptedOperation,
    errors: ["PLAN_NOT_FOUND", "PLAN_STALE", "PLAN_USED"],
  }),
};
