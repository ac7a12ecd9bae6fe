import * as z from "zod";
import { isStorable } from "./storable.ts";

/** What happens to due times that passed while no worker was running. */
export const MISSED_POLICIES = ["once", "all", "skip"] as const;
export type MissedPolicy = (typeof MISSED_POLICIES)[number];

const LONGEST_NAME = 200;

const scheduledJob = z.strictObject({
  key: z.string().optional().describe("The lane of its jobs. Default: none."),
  keys: z.array(z.string()).optional().describe("Several lanes; not together with `key`. Default: none."),
  priority: z.number().optional().describe("Higher runs first among the jobs that are ready. Default: 0."),
  tenant: z.string().optional().describe("The tenant of its jobs. Default: `default`."),
  organization: z
    .union([z.string(), z.int()])
    .optional()
    .describe("The organisation of the tenant: text or a whole number. Default: none."),
  name: z.string().optional().describe("The kind of its jobs. Default: the schedule's name."),
});

/** A schedule as a caller writes it. */
export const scheduleSpec = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(LONGEST_NAME)
    .refine(isStorable, "text without NUL or half characters")
    .describe("The name of the schedule. `put` with a known name updates that schedule."),
  queue: z
    .string()
    .regex(/^[a-zA-Z0-9][\w.:-]{0,99}$/, "a queue's name")
    .describe("The queue that its jobs are added to."),
  cron: z
    .string()
    .describe(
      "Minute, hour, day of month, month, day of week. With six fields, the first one is the second of the minute.",
    ),
  timeZone: z.string().describe('An IANA time zone such as "Asia/Seoul".'),
  missed: z
    .enum(MISSED_POLICIES)
    .default("once")
    .describe(
      "What happens to due times that passed while no worker was running. `once`: one job for all of them. `all`: one job for each. `skip`: none.",
    ),
  payload: z.unknown().optional().describe("The payload of its jobs. Default: null."),
  job: scheduledJob.prefault({}).describe("Options of its jobs."),
  isActive: z
    .boolean()
    .optional()
    .describe("Whether it fires. Default: true for a new schedule; a known one stays as it is."),
});
export type ScheduleSpec = z.input<typeof scheduleSpec>;

/** A schedule as its reader sees it. Times are milliseconds since 1970. */
export interface Schedule {
  id: string;
  name: string;
  queue: string;
  cron: string;
  timeZone: string;
  missed: MissedPolicy;
  payload: unknown;
  job: { keys: string[]; priority: number; tenant: string; organization: string | null; name: string };
  isActive: boolean;
  /** The next due time; null while it is not active. */
  nextAt: number | null;
  /** The last due time that is settled: it has its job, or its policy left it out. */
  lastDueAt: number | null;
  createdAt: number;
  updatedAt: number;
}
