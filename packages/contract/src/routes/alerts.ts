import * as z from "zod";
import { route } from "./route.ts";
import { json, optionalReason, pageOf, paging, text, time } from "./wire.ts";

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
      "Alerts with the state of their delivery, newest first; of those that fire, the critical ones first.",
    query: z.strictObject({
      state: z.enum(["firing", "resolved"]).optional().describe("Only those that last, or that are over."),
      queue: text(100).optional().describe("Only about this queue."),
      type: text(100).optional().describe("Only of this type, such as `LANE_HELD`."),
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
