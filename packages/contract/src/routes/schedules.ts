import * as z from "zod";
import { MISSED_POLICIES } from "../schedules.ts";
import { route } from "./route.ts";
import { json, optionalReason, pageOf, pageQuery, text, time } from "./wire.ts";

const schedule = z.strictObject({
  id: z.string(),
  name: z.string(),
  queue: z.string(),
  cron: z.string(),
  timeZone: z.string(),
  missed: z.enum(MISSED_POLICIES),
  payload: json,
  tenantId: z.string(),
  organizationId: z.string().nullable(),
  isActive: z.boolean(),
  nextAt: time.nullable(),
  lastDueAt: time.nullable(),
  nextRuns: z.array(time).describe("The next five due times."),
});

const name = z.strictObject({ name: text(200) });
const changed = z.strictObject({ success: z.literal(true), changed: z.boolean(), schedule });

export const scheduleRoutes = {
  list: route({
    method: "GET",
    path: "/admin/schedules",
    access: "queue.read",
    reach: "whole",
    summary: "Schedules by name, with their next runs.",
    query: pageQuery,
    answer: pageOf(schedule),
  }),
  show: route({
    method: "GET",
    path: "/admin/schedules/:name",
    access: "queue.read",
    reach: "whole",
    summary: "One schedule.",
    params: name,
    answer: schedule,
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
  activate: route({
    method: "POST",
    path: "/admin/schedules/:name/activate",
    access: "queue.operate",
    reach: "whole",
    summary: "Activates a schedule: it fires again at its due times.",
    params: name,
    body: optionalReason,
    answer: changed,
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
  deactivate: route({
    method: "POST",
    path: "/admin/schedules/:name/deactivate",
    access: "queue.operate",
    reach: "whole",
    summary: "Deactivates a schedule: it does not fire until it is activated.",
    params: name,
    body: optionalReason,
    answer: changed,
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
  runNow: route({
    method: "POST",
    path: "/admin/schedules/:name/run-now",
    access: "queue.operate",
    reach: "whole",
    summary:
      "Adds the schedule's job now, in addition to its due times; also while the schedule is inactive.",
    params: name,
    body: optionalReason,
    answer: z.strictObject({ success: z.literal(true), jobId: z.string() }),
    errors: ["SCHEDULE_NOT_FOUND"],
  }),
};

const workerFacts = {
  id: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z
    .string()
    .nullable()
    .describe("Null for a worker of an earlier version, which does not report it."),
  queues: z.array(z.string()),
  lastBeatAt: time
    .nullable()
    .describe("When its last heartbeat came. An idle worker sends one rarely, or none."),
};

export const workerRoutes = {
  list: route({
    method: "GET",
    path: "/admin/workers",
    access: "queue.read",
    reach: "whole",
    summary: "Worker processes, how many jobs each runs, and those that died in the last 7 days.",
    query: pageQuery,
    answer: pageOf(
      z.strictObject({
        ...workerFacts,
        startedAt: time,
        silentSince: time
          .nullable()
          .describe("Since when an expected heartbeat is missing; null while none is."),
        running: z.number().int().describe("How many jobs it runs now."),
        places: z.number().int().nullable().describe("How many jobs it runs at most."),
      }),
    ).extend({
      lost: z
        .array(
          z.strictObject({
            ...workerFacts,
            startedAt: time.nullable(),
            lostAt: time,
            jobs: z
              .array(z.string())
              .describe("The ids of the jobs that were taken back from it; at most 100."),
          }),
        )
        .describe("Workers that died in the last 7 days, the latest first; at most 100."),
    }),
  }),
};
