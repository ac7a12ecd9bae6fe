import * as z from "zod";
import { acceptedOperation } from "./operations.ts";
import { queueRoute } from "./route.ts";
import { flag, pageOf, paging, reason, requiredReason, text, time } from "./wire.ts";

const lane = z.strictObject({
  queue: z.string(),
  tenantId: z.string().describe("Its tenant: a lane is identified by queue, tenant and key."),
  key: z.string(),
  depth: z.number().int().describe("Unfinished jobs in it."),
  held: z
    .strictObject({
      at: time,
      kind: z.enum(["failure", "hand"]),
      by: z.string(),
      reason: z.string().nullable(),
      jobId: z.string().nullable().describe("The failed job at its head."),
      error: z.string().nullable().describe("What that job failed with."),
    })
    .nullable(),
});

const laneKey = text(1_000).describe("The lane's key.");
const tenantId = text(200)
  .optional()
  .describe("The tenant of the lane. Default: the caller's tenant, else `default`.");
const changed = z.strictObject({ success: z.literal(true), changed: z.boolean(), message: z.string() });

export const laneRoutes = {
  list: queueRoute({
    method: "GET",
    path: "/lanes",
    access: "queue.read",
    summary: "Lanes of a tenant; with `held=true` only held ones, longest held first.",
    query: z.strictObject({
      held: flag.optional().describe("Only held ones. Default: false."),
      tenantId,
      allTenants: flag
        .optional()
        .describe(
          "Lanes of all tenants; only for a caller without a tenant, and ignored beside `tenantId`. Default: false.",
        ),
      ...paging,
    }),
    answer: pageOf(lane),
    errors: ["QUEUE_NOT_FOUND", "PP-403-SCOPE", "SCOPE_TOO_NARROW"],
  }),
  hold: queueRoute({
    method: "POST",
    path: "/lanes/hold",
    access: "queue.operate",
    summary: "Holds a lane: no further job of it starts until it is released.",
    body: z.strictObject({ key: laneKey, tenantId, reason: reason.optional() }),
    answer: changed,
    errors: ["QUEUE_NOT_FOUND", "PP-403-SCOPE", "SCOPE_TOO_NARROW"],
  }),
  release: queueRoute({
    method: "POST",
    path: "/lanes/release",
    access: "queue.operate",
    summary:
      "Opens a lane that a person holds. A lane that a failed job holds opens when that job is retried or skipped.",
    body: z.strictObject({ key: laneKey, tenantId, reason: reason.optional() }),
    answer: changed,
    errors: [
      "QUEUE_NOT_FOUND",
      "PP-403-SCOPE",
      "SCOPE_TOO_NARROW",
      "LANE_NOT_FOUND",
      "LANE_HELD_BY_FAILURE",
      "LANE_HELD_BY_OPERATION",
    ],
  }),
  cancelRest: queueRoute({
    method: "POST",
    path: "/lanes/cancel-rest",
    access: "queue.operate",
    summary: "Cancels the waiting jobs of a lane.",
    body: z.strictObject({ key: laneKey, tenantId, reason: requiredReason }),
    answer: z.strictObject({
      success: z.literal(true),
      cancelledCount: z.number().int(),
      message: z.string(),
    }),
    accepted: acceptedOperation,
    errors: ["QUEUE_NOT_FOUND", "PP-403-SCOPE", "SCOPE_TOO_NARROW", "LANE_NOT_FOUND"],
  }),
};

const certificate = z.strictObject({
  id: z.string(),
  queue: z.string(),
  epoch: z.number().int(),
  at: time,
  kind: z.enum(["failure", "hand"]),
  actor: z.string(),
  reason: z.string(),
  jobId: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  inFlight: z.array(z.strictObject({ jobId: z.string(), worker: z.string(), startedAt: time })),
  lastClaim: z.number().int(),
  lastStarted: z.strictObject({ jobId: z.string(), worker: z.string(), at: time }).nullable(),
  resumedAt: time.nullable(),
  resumedBy: z.string().nullable(),
});

export const stopRoutes = {
  list: queueRoute({
    method: "GET",
    path: "/stops",
    access: "queue.read",
    reach: "whole",
    summary: "Stops of the queue, newest first.",
    query: z.strictObject(paging),
    answer: pageOf(certificate),
    errors: ["QUEUE_NOT_FOUND"],
  }),
  certificate: queueRoute({
    method: "GET",
    path: "/stops/:stopId",
    access: "queue.read",
    reach: "whole",
    summary: "The certificate of a stop, checked against the feed and the claim log.",
    params: z.strictObject({ stopId: text(100) }),
    answer: z.strictObject({
      certificate,
      holds: z.boolean().describe("Whether nothing was claimed after the stop, and the feed has the stop."),
      inFeed: z.boolean(),
      feedKept: z
        .boolean()
        .describe(
          "False where the feed is not kept that long: `inFeed` is then false and does not count against `holds`.",
        ),
      violations: z.array(
        z.strictObject({ claim: z.number().int(), epoch: z.number().int(), at: time, worker: z.string() }),
      ),
    }),
    errors: ["QUEUE_NOT_FOUND", "STOP_NOT_FOUND"],
  }),
};
