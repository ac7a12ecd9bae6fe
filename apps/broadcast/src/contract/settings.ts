import { type AppSettings, urlOf } from "@andon/app";
import { allows, duration } from "@andon/contract";
import * as z from "zod";

const HOUR = 3_600_000;
const WEB_EXAMPLE = "https://push.example.com/chunks";

const push = z
  .strictObject({
    url: urlOf(["http", "https"], allows(WEB_EXAMPLE, WEB_EXAMPLE))
      .optional()
      .describe(
        "Where the pushes of a chunk are posted, as one JSON document. Default: they are only logged.",
      ),
    secret: z
      .string()
      .min(1)
      .optional()
      .describe("Signs what is posted: `X-Andon-Signature`. Default: not signed."),
    allowPrivateTargets: z
      .boolean()
      .default(false)
      .describe("Whether the address may be a private one or this machine. Link-local ones never are."),
  })
  .prefault({})
  .describe("Where pushes go.");

const own = z
  .strictObject({
    abortTtl: duration
      .default(HOUR)
      .refine((ms) => ms >= 1_000, allows("at least 1s", "1초 이상"))
      .describe("How long an abort flag stays in Redis. It is renewed while its job has not stopped yet."),
    maxPerSecond: z
      .number()
      .positive()
      .max(1_000_000_000)
      .optional()
      .describe("Most recipients per second of all bulk jobs together. Default: no ceiling."),
    maxCommitMs: duration
      .optional()
      .describe(
        "While the database takes longer than this for a chunk, by a moving average, bulk jobs pause four times as long after each chunk. Default: no limit.",
      ),
    keep: duration
      .default(90 * 24 * HOUR)
      .describe(
        "How long a bulk job stays after its end. Failed and aborted ones stay until somebody deletes them.",
      ),
    push,
  })
  .describe("Bulk notifications. `false`: without it.");

/** The settings of this app. */
export const BROADCAST_SETTINGS = { own } as const satisfies AppSettings;

export type BroadcastSettings = z.output<typeof own>;
