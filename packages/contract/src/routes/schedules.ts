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
    summary: "Lets a schedule fire.",
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
    summary: "Keeps a schedule from firing.",
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
    summary: "Adds a schedule's job now, beside its times, whether the schedule is on or off.",
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
  version: z.string().nullable().describe("Null where an earlier version does not tell."),
  queues: z.array(z.string()),
  lastBeatAt: time
    .nullable()
    .describe("When it was last heard of. A worker at rest beats rarely, or not at all."),
};

export const workerRoutes = {
  list: route({
    method: "GET",
    path: "/admin/workers",
    access: "queue.read",
    reach: "whole",
    summary: "Processes that work, what they run, and those that died in the last 7 days.",
    query: pageQuery,
    answer: pageOf(
      z.strictObject({
        ...workerFacts,
        startedAt: time,
        silentSince: time
          .nullable()
          .describe("Since when nothing is heard of it although there should be; null while all is well."),
        running: z.number().int().describe("Jobs it runs now."),
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
