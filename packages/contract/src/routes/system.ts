import * as z from "zod";
import { route } from "./route.ts";
import { text } from "./wire.ts";

const part = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  problem: z.string().nullable(),
});

export const systemRoutes = {
  alive: route({
    method: "GET",
    path: "/healthz",
    access: "public",
    summary: "Answers while the process is alive.",
    answer: z.strictObject({ status: z.literal("ok") }),
  }),
  ready: route({
    method: "GET",
    path: "/readyz",
    access: "public",
    summary:
      "Whether the server can work: 503 where the store does not answer, 200 with `degraded` where another part does not. `problem` is a code; callers with `queue.read` and no scope get its full text.",
    answer: z.strictObject({ status: z.enum(["ok", "degraded", "unavailable"]), parts: z.array(part) }),
  }),
  metrics: route({
    method: "GET",
    path: "/metrics",
    access: "queue.read",
    reach: "whole",
    summary: "Metrics in the text format of Prometheus.",
    answer: z.string(),
    media: "text/plain",
  }),
  events: route({
    method: "GET",
    path: "/events",
    access: "queue.read",
    summary: "Server-sent events: every stop, hold, failure, decision and progress that the caller may see.",
    query: z.strictObject({
      queue: text(100).optional().describe("Only events of this queue."),
      lastEventId: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .describe(
          "Continues after the event with this id; the header `Last-Event-ID` takes precedence. Default: from now on.",
        ),
    }),
    answer: z.string(),
    media: "text/event-stream",
  }),
  openapi: route({
    method: "GET",
    path: "/openapi.json",
    access: "signed-in",
    summary: "This API in OpenAPI 3.1.",
    answer: z.unknown(),
  }),
};

/** Routes that a plugin mounts below one path; the table guards them like the rest. */
export const pluginRoutes = {
  console: {
    page: route({
      method: "GET",
      path: "/",
      access: "public",
      summary: "The operator console.",
      answer: z.string(),
      media: "text/html",
    }),
    assets: route({
      method: "GET",
      path: "/assets/*",
      access: "public",
      summary: "Its scripts, styles and pictures.",
      answer: z.string(),
      media: "*/*",
    }),
  },
  documentation: {
    page: route({
      method: "GET",
      path: "/docs/*",
      otherPath: "/docs",
      access: "signed-in",
      summary: "This API, rendered.",
      answer: z.string(),
      media: "text/html",
    }),
  },
};
