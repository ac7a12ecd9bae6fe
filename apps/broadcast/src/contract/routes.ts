import { type RouteTable, route } from "@andon/contract";
import { optionalReason, pageOf, paging, reason, text, textOrEmpty, time } from "@andon/contract/wire";
import * as z from "zod";
import { BULK_STATES, IMPORT_STATES, PUSH_STATES } from "./states.ts";

/*
 * The routes of channels, bulk jobs and what they wrote. One long file, because it is one table and the console's build
 * replaces this module as a whole by a table without schemas.
 */

const id = z.strictObject({ id: text(200) });
const channelId = text(200).describe("Unique in its tenant.");
const category = text(100).describe("Its category: bulk jobs of one category run one after another.");

const channel = z.strictObject({
  id: channelId,
  name: text(500).optional().describe("Its name. Default: none."),
});

const shownChannel = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  tenantId: z.string(),
  organizationId: z.string().nullable(),
  createdAt: time,
});

const pauseMs = z
  .number()
  .int()
  .min(0)
  .max(86_400_000)
  .describe("The pause after each chunk, in milliseconds.");
const maxPerSecond = z
  .number()
  .positive()
  .max(1_000_000_000)
  .nullable()
  .describe("Most recipients per second; null: no ceiling.");
const throttle = z.strictObject({ pauseMs: pauseMs.optional(), maxPerSecond: maxPerSecond.optional() });

const wish = { by: z.string(), reason: z.string().nullable(), requestedAt: time };

const bulkJob = z.strictObject({
  id: z.string(),
  tenantId: z.string(),
  organizationId: z.string().nullable(),
  category: z.string(),
  title: z.string(),
  body: z.string(),
  scheduledAt: time.nullable(),
  state: z.enum(BULK_STATES),
  cursor: z.string().nullable().describe("The last channel whose chunk is committed."),
  processed: z.number().int(),
  total: z.number().int().nullable().describe("Fixed at the first start; null before it."),
  ratePerSecond: z.number().nullable(),
  estimatedEndAt: time.nullable(),
  chunkSize: z.number().int(),
  throttle: z.strictObject({ pauseMs: z.number(), maxPerSecond: z.number().nullable() }),
  slowed: z
    .strictObject({ averageMs: z.number(), limitMs: z.number() })
    .optional()
    .describe("The database takes longer for a chunk than `broadcast.maxCommitMs`: the job pauses longer."),
  createdBy: z.string(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  error: z.string().nullable().describe("Why the last attempt failed."),
  abort: z.strictObject(wish).optional().describe("The request to abort; it stays until the job is resumed."),
  receipt: z
    .strictObject({
      ...wish,
      outcome: z
        .enum(["ABORTED", "COMPLETED"])
        .describe("`COMPLETED`: the last chunk was committed before the job could stop."),
      stoppedAt: time,
      cursor: z.string().nullable(),
      processed: z.number().int(),
      total: z.number().int().nullable(),
    })
    .optional()
    .describe("What the abort did."),
});

const notification = z.strictObject({
  id: z.string(),
  jobId: z.string(),
  channelId: z.string(),
  title: z.string(),
  body: z.string(),
  createdAt: time,
});

const push = z.strictObject({
  id: z.string(),
  jobId: z.string(),
  channelId: z.string(),
  state: z.enum(PUSH_STATES),
  sentAt: time.nullable(),
  error: z.string().nullable(),
});

const recipient = z.strictObject({
  channelId: z.string(),
  name: z.string().nullable(),
  isNotified: z.boolean(),
});

const OF_ONE = ["BULK_JOB_NOT_FOUND", "BULK_STATE"] as const;

const channelRoutes = {
  add: route({
    method: "POST",
    path: "/channels",
    access: "bulk.operate",
    summary:
      "Stores channels: new ones are added, known ones get the given name. The body may be NDJSON of any length, or a JSON array up to `bodyLimit`.",
    takes: "items",
    item: channel,
    body: z.array(channel),
    answer: z.strictObject({
      received: z.number().int(),
      stored: z.number().int().describe("Without those that were sent twice."),
    }),
    errors: ["NAME_TAKEN", "IMPORT_INCOMPLETE", "IMPORT_TIMED_OUT", "BODY_TOO_LARGE", "MEDIA_TYPE"],
  }),
  list: route({
    method: "GET",
    path: "/channels",
    access: "bulk.read",
    summary: "Channels by id.",
    query: z.strictObject({
      ...paging,
      text: text(200).optional().describe("Only channels whose id begins with this."),
    }),
    answer: pageOf(shownChannel),
  }),
  imports: route({
    method: "GET",
    path: "/channels/imports",
    access: "bulk.read",
    summary: "The progress of imports of more than 2,000 channels, newest first.",
    query: z.strictObject(paging),
    answer: pageOf(
      z.strictObject({
        id: z.string(),
        state: z.enum(IMPORT_STATES),
        received: z.number().int(),
        stored: z.number().int(),
        createdBy: z.string(),
        startedAt: time,
        updatedAt: time.describe("When the last batch was stored."),
      }),
    ),
  }),
  remove: route({
    method: "DELETE",
    path: "/channels/:id",
    access: "bulk.operate",
    summary: "Deletes a channel. Bulk jobs whose audience is already fixed still notify it.",
    params: id,
    answer: z.strictObject({ success: z.literal(true), id: z.string() }),
    errors: ["CHANNEL_NOT_FOUND"],
  }),
} as const;

const bulkJobRoutes = {
  create: route({
    method: "POST",
    path: "/bulk-jobs",
    access: "bulk.operate",
    summary:
      "Creates a bulk job that notifies every channel of the caller's tenant or organisation. Takes an Idempotency-Key.",
    status: 201,
    body: z.strictObject({
      category,
      title: text(500).describe("The title of the notification."),
      body: textOrEmpty(10_000).describe("The text of the notification."),
      scheduledAt: time.optional().describe("Not before this time. Default: at once."),
      chunkSize: z
        .number()
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe("Recipients per chunk. Default: 1,000."),
      throttle: throttle.optional().describe("How fast it may go. Default: no limit."),
    }),
    answer: z.strictObject({ id: z.string(), state: z.enum(BULK_STATES) }),
    errors: ["IDEMPOTENCY_CONFLICT"],
  }),
  list: route({
    method: "GET",
    path: "/bulk-jobs",
    access: "bulk.read",
    summary: "Bulk jobs, newest first.",
    query: z.strictObject({
      ...paging,
      state: z.enum(BULK_STATES).optional().describe("Only those in this state."),
      category: text(100).optional().describe("Only those of this category."),
      text: text(200)
        .optional()
        .describe("Only those with this text in their title, in upper or lower case."),
    }),
    answer: pageOf(bulkJob),
  }),
  show: route({
    method: "GET",
    path: "/bulk-jobs/:id",
    access: "bulk.read",
    summary: "A bulk job: state, cursor, progress, rate, throttle, and what an abort did.",
    params: id,
    answer: bulkJob,
    errors: ["BULK_JOB_NOT_FOUND"],
  }),
  audience: route({
    method: "GET",
    path: "/bulk-jobs/:id/audience",
    access: "bulk.read",
    summary:
      "The recipients of a bulk job, by channel id. They are fixed at its first start; before that, the current channels are shown.",
    params: id,
    query: z.strictObject(paging),
    answer: pageOf(recipient),
    errors: ["BULK_JOB_NOT_FOUND"],
  }),
  abort: route({
    method: "POST",
    path: "/bulk-jobs/:id/abort",
    access: "bulk.operate",
    summary:
      "Aborts a bulk job at its next chunk boundary. With Redis this also works while the database does not answer.",
    status: 202,
    withoutStore: true,
    params: id,
    body: optionalReason,
    answer: z.strictObject({
      id: z.string(),
      state: z.enum(BULK_STATES),
      stopsWithinMs: z.number().int(),
      recorded: z
        .boolean()
        .describe("False: only the flag is set; the abort is recorded when the database answers."),
    }),
    errors: OF_ONE,
  }),
  resume: route({
    method: "POST",
    path: "/bulk-jobs/:id/resume",
    access: "bulk.operate",
    summary: "Resumes an aborted or failed bulk job from its cursor, behind the other jobs of its category.",
    status: 202,
    params: id,
    body: optionalReason,
    answer: z.strictObject({ id: z.string(), state: z.enum(BULK_STATES) }),
    errors: OF_ONE,
  }),
  change: route({
    method: "PATCH",
    path: "/bulk-jobs/:id",
    access: "bulk.operate",
    summary:
      "Changes the throttle of a bulk job, also while it runs. Members that are not given stay as they are.",
    params: id,
    body: z.strictObject({
      throttle: throttle.describe("How fast it may go."),
      reason: reason.optional(),
    }),
    answer: bulkJob,
    errors: OF_ONE,
  }),
  remove: route({
    method: "DELETE",
    path: "/bulk-jobs/:id",
    access: "bulk.operate",
    summary: "Deletes a bulk job that is not running. Its notifications stay.",
    params: id,
    query: z.strictObject({ reason: reason.optional() }),
    answer: z.strictObject({ success: z.literal(true), id: z.string() }),
    errors: OF_ONE,
  }),
} as const;

const writtenRoutes = {
  notifications: route({
    method: "GET",
    path: "/notifications",
    access: "notifications.read",
    summary: "Notifications in the notification centre: newest bulk job first, then by channel.",
    query: z.strictObject({
      ...paging,
      channelId: text(200).optional().describe("Only those of this channel."),
      jobId: text(200).optional().describe("Only those of this bulk job."),
    }),
    answer: pageOf(notification),
  }),
  pushes: route({
    method: "GET",
    path: "/pushes",
    access: "notifications.read",
    summary: "Pushes: newest bulk job first, then by channel.",
    query: z.strictObject({
      ...paging,
      channelId: text(200).optional().describe("Only those of this channel."),
      jobId: text(200).optional().describe("Only those of this bulk job."),
      state: z.enum(PUSH_STATES).optional().describe("Only those in this state."),
    }),
    answer: pageOf(push),
  }),
} as const;

/** The API of this app. */
export const BROADCAST_ROUTES = {
  channels: channelRoutes,
  bulkJobs: bulkJobRoutes,
  written: writtenRoutes,
} as const satisfies RouteTable;
