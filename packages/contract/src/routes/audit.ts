import * as z from "zod";
import { route } from "./route.ts";
import { json, pageOf, paging, text, time } from "./wire.ts";

export const auditRow = z.strictObject({
  id: z.string(),
  actor: z.string(),
  at: time,
  action: z.string(),
  target: z.string(),
  reason: z.string().nullable(),
  before: json,
  after: json,
});

export const auditRoutes = {
  list: route({
    method: "GET",
    path: "/admin/audit",
    access: "queue.read",
    summary: "Decisions of operators, newest first.",
    query: z.strictObject({
      target: text(1_100)
        .optional()
        .describe("Only decisions about this target, such as `queue:my-queue` or `job:<uuid>`."),
      actor: text(300).optional().describe("Only decisions of this actor, such as `key:shop`."),
      action: text(100).optional().describe("Only decisions with this action, such as `queue.resume`."),
      from: time.optional().describe("Only decisions made at this time or later."),
      to: time.optional().describe("Only decisions made before this time."),
      ...paging,
    }),
    answer: pageOf(auditRow),
  }),
  verify: route({
    method: "GET",
    path: "/admin/audit/verify",
    access: "queue.read",
    reach: "whole",
    summary: "Checks the hash chain of the audit log: whether a row was changed, removed or inserted.",
    query: z.strictObject({
      full: z
        .enum(["true", "false"])
        .optional()
        .describe(
          "`true`: checks the whole log. Default: false, the rows since the last check and the 5,000 before them.",
        ),
    }),
    answer: z.strictObject({
      holds: z.boolean(),
      rows: z.number().int().describe("How many rows the chain has, up to where it holds."),
      checkedBefore: z
        .number()
        .int()
        .describe("Rows up to this number were checked earlier and not read again. 0: all were read."),
      head: z.string().describe("The hash of the last row: keep it elsewhere to notice a cut-off end."),
      broken: z
        .strictObject({ seq: z.number().int(), id: z.string().nullable(), problem: z.string() })
        .nullable()
        .describe("The first place where the chain does not hold."),
    }),
  }),
};
