import * as z from "zod";
import { durationFrom } from "../duration.ts";
import { route } from "./route.ts";
import { json, optionalReason, pageOf, paging, reason, text, time } from "./wire.ts";

/** Shown in the caller's language. */
const EITHER_OR = {
  params: { en: "give either `until` or `for`", ko: "`until`과 `for` 중 하나만 지정해야 합니다" },
};

const ALERT_SEVERITIES = ["CRITICAL", "WARNING"] as const;
const DELIVERY_STATES = ["PENDING", "RETRYING", "DELIVERED", "FAILED"] as const;

const alert = z.strictObject({
  id: z.string(),
  type: z.string().describe("Such as `QUEUE_WAITING_EXCEEDED`."),
  severity: z.enum(ALERT_SEVERITIES),
  title: z.string(),
  message: z.string(),
  details: z.record(z.string(), json),
  firedAt: time,
  resolvedAt: time.nullable(),
  acknowledged: z
    .strictObject({ at: time, by: z.string(), reason: z.string().nullable() })
    .nullable()
    .describe("Who acknowledged it. It sends no further updates."),
  snoozed: z
    .strictObject({ at: time, by: z.string(), until: time })
    .nullable()
    .describe("Until when it sends nothing but its end."),
  links: z
    .strictObject({ console: z.string().nullable(), runbook: z.string() })
    .describe("The alert in the console, where `publicUrl` is set, and its runbook."),
  deliveries: z.array(
    z.strictObject({
      channel: z.string(),
      state: z.enum(DELIVERY_STATES),
      attempts: z.number().int(),
      lastError: z.string().nullable(),
    }),
  ),
});

export const alertRoutes = {
  list: route({
    method: "GET",
    path: "/admin/alerts",
    access: "queue.read",
    reach: "whole",
    summary:
      "Alerts with the state of their delivery, newest first. With `state=firing`, critical ones come first.",
    query: z.strictObject({
      state: z
        .enum(["firing", "resolved"])
        .optional()
        .describe("`firing`: only open alerts; `resolved`: only ended ones."),
      queue: text(100).optional().describe("Only alerts about this queue."),
      type: text(100).optional().describe("Only alerts of this type, such as `LANE_HELD`."),
      ...paging,
    }),
    answer: pageOf(alert),
  }),
  show: route({
    method: "GET",
    path: "/admin/alerts/:id",
    access: "queue.read",
    reach: "whole",
    summary: "One alert.",
    params: z.strictObject({ id: text(100) }),
    answer: alert,
    errors: ["ALERT_NOT_FOUND"],
  }),
  acknowledge: route({
    method: "POST",
    path: "/admin/alerts/:id/acknowledge",
    access: "queue.operate",
    reach: "whole",
    summary: "Acknowledges an open alert: it sends no further updates.",
    params: z.strictObject({ id: text(100) }),
    body: optionalReason,
    answer: alert,
    errors: ["ALERT_NOT_FOUND", "ALERT_RESOLVED"],
  }),
  snooze: route({
    method: "POST",
    path: "/admin/alerts/:id/snooze",
    access: "queue.operate",
    reach: "whole",
    summary: "Snoozes an open alert: until then it sends nothing but its end. Give either `until` or `for`.",
    params: z.strictObject({ id: text(100) }),
    body: z
      .strictObject({
        until: time.optional().describe("Until this time (ISO 8601, UTC)."),
        for: durationFrom(1).optional().describe('For how long: milliseconds, or a text such as `"30m"`.'),
        reason: reason.optional(),
      })
      .refine((body) => (body.until === undefined) !== (body.for === undefined), EITHER_OR),
    answer: alert,
    errors: ["ALERT_NOT_FOUND", "ALERT_RESOLVED", "ALERT_SNOOZE_PAST"],
  }),
  test: route({
    method: "POST",
    path: "/admin/alerts/test",
    access: "queue.operate",
    reach: "whole",
    summary: "Sends a test alert through every channel.",
    status: 201,
    body: optionalReason,
    answer: alert,
  }),
};
