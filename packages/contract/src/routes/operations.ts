import * as z from "zod";
import { route } from "./route.ts";
import { flag, optionalReason, pageOf, paging, text, time } from "./wire.ts";

/** What an operation does to the jobs of its list. `cancel-rest-after-failure` is the failure policy `cancel-rest`. */
export const OPERATION_ACTIONS = [
  "retry-all",
  "skip-all-and-resume",
  "retry",
  "skip",
  "cancel",
  "cancel-rest",
  "skip-with-rest",
  "cancel-rest-after-failure",
  "purge",
  "delete-queue",
] as const;

const operation = z.strictObject({
  id: z.string(),
  queue: z.string(),
  action: z.enum(OPERATION_ACTIONS),
  state: z
    .enum(["RUNNING", "DONE", "FAILED", "CANCELLED"])
    .describe(
      "`FAILED`: it ended, but the last thing it had to do was refused; see `problem`. `CANCELLED`: what is done stays done.",
    ),
  total: z
    .number()
    .int()
    .describe("Jobs in the frozen list; 0 until the list is complete. For a purge: the same as `done`."),
  done: z.number().int().describe("Jobs that the action was applied to."),
  requestedCount: z.number().int().describe("How many of `done` are running jobs that were asked to stop."),
  leftOut: z
    .strictObject({ count: z.number().int(), jobs: z.array(z.string()) })
    .describe(
      "Jobs that had changed before their turn came, or that an app refused; ids of the first 100 of them.",
    ),
  problem: z.string().nullable().describe("The last error that a job, or the end of the operation, met."),
  createdAt: time,
  finishedAt: time.nullable(),
  actor: z.string(),
  reason: z.string().nullable(),
});

/** The answer to a decision over many jobs, with 202, where it takes longer than two seconds. */
export const acceptedOperation = z.strictObject({
  operationId: z.string(),
  total: z.number().int(),
  done: z.number().int(),
});

export const operationRoutes = {
  list: route({
    method: "GET",
    path: "/admin/operations",
    access: "queue.read",
    summary: "Decisions over many jobs that are carried out in steps, newest first.",
    query: z.strictObject({
      queue: text(100).optional().describe("Only those of this queue."),
      running: flag.optional().describe("`true`: only those that have not ended."),
      ...paging,
    }),
    answer: pageOf(operation),
  }),
  show: route({
    method: "GET",
    path: "/admin/operations/:id",
    access: "queue.read",
    summary: "The progress of a decision over many jobs.",
    params: z.strictObject({ id: text(100) }),
    answer: operation,
    errors: ["OPERATION_NOT_FOUND"],
  }),
  cancel: route({
    method: "POST",
    path: "/admin/operations/:id/cancel",
    access: "queue.operate",
    summary: "Ends a decision over many jobs between two steps; what is done stays done.",
    params: z.strictObject({ id: text(100) }),
    body: optionalReason,
    answer: operation,
    errors: ["OPERATION_NOT_FOUND", "OPERATION_ENDED"],
  }),
};
