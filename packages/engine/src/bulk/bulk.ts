import { checkedOptions, duration, type Job } from "@andon/contract";
import * as z from "zod";
import type { Tx } from "../ports/store.ts";
import type { Handler, HandlerContext } from "../worker/handler.ts";
import type { AbortFlag } from "./abort-flags.ts";
import { bulkPortOf } from "./port.ts";
import { Walk, type WalkPlan } from "./walk.ts";

const perSecond = z.number().positive().max(1_000_000_000);

export const throttleSchema = z.strictObject({
  pauseMs: duration.optional().describe("The pause after each chunk. Default: none."),
  maxPerSecond: perSecond
    .nullable()
    .optional()
    .describe("Most items per second; null: no ceiling. Default: no ceiling."),
});
export type ThrottleInput = z.input<typeof throttleSchema>;

/** The settings of a bulk handler, for all its jobs or for each. */
export const bulkSettingsSchema = z.strictObject({
  chunkSize: z.number().int().min(1).max(100_000).default(1_000).describe("How many items one chunk has."),
  throttle: throttleSchema
    .prefault({})
    .describe("How fast a job may go, unless somebody has set another throttle for it."),
  queueMaxPerSecond: perSecond
    .nullable()
    .default(null)
    .describe(
      "Most items per second of all bulk jobs of the queue together, over the whole fleet. Default: no ceiling.",
    ),
  maxCommitMs: duration
    .optional()
    .describe(
      "While the database takes longer than this for a chunk, by a moving average, the job pauses four times as long after each chunk. Default: no limit.",
    ),
});
export type BulkSettings = z.input<typeof bulkSettingsSchema>;

/** The parts of a bulk handler: how it reads its items, and what it writes. */
export interface BulkOptions<Row, Payload = unknown> {
  /**
   * The next items after the cursor, at most `limit`, in a stable order; an empty list at the end. The first cursor is
   * null. It runs outside of any transaction.
   */
  read(cursor: unknown, limit: number, context: HandlerContext, job: Job<Payload>): Promise<readonly Row[]>;
  /**
   * Writes a chunk. Its transaction also saves the cursor and the counts, and may take 5 s. It runs again if the
   * transaction is rolled back.
   */
  write(tx: Tx, rows: readonly Row[], context: HandlerContext, job: Job<Payload>): Promise<void> | void;
  /** The cursor after an item: `read` gets it next. It is stored as JSON. */
  cursorOf(row: Row): unknown;
  /**
   * The number of items, asked once, at the first start; null: unknown. Its writes, such as a frozen audience, commit with
   * the number. Default: unknown.
   */
  total?(tx: Tx, job: Job<Payload>, context: HandlerContext): Promise<number | null> | number | null;
  /**
   * Chunk size, throttle and limits: the same for all jobs, or made for each. Default: see the settings of a bulk
   * handler.
   */
  settings?: BulkSettings | ((job: Job<Payload>) => BulkSettings) | undefined;
  /** Places outside of the store where a request to abort may be left. Default: none. */
  flags?: readonly AbortFlag[] | undefined;
}

/** The result of a bulk job that is done. */
export interface BulkResult {
  processed: number;
  total: number | null;
}

/**
 * Makes a handler that processes a source in chunks. The writes of a chunk, the cursor and the counts commit together, so
 * no item is processed twice. The job can be aborted between two chunks only, and resumed from its cursor.
 */
export function bulk<Row, Payload = unknown>(options: BulkOptions<Row, Payload>): Handler<Payload> {
  const { settings } = options;
  const shared = typeof settings === "function" ? undefined : checkedSettings(settings);
  return (job, context) => {
    const port = bulkPortOf(context);
    const given = shared ?? checkedSettings((settings as (job: Job<Payload>) => BulkSettings)(job));
    return new Walk(planOf(options, given), job, context, port).run();
  };
}

function checkedSettings(settings: BulkSettings | undefined): z.output<typeof bulkSettingsSchema> {
  return checkedOptions("the settings of a bulk handler", bulkSettingsSchema, settings);
}

function planOf<Row, Payload>(
  { read, write, cursorOf, total, flags = [] }: BulkOptions<Row, Payload>,
  { chunkSize, throttle, queueMaxPerSecond, maxCommitMs }: z.output<typeof bulkSettingsSchema>,
): WalkPlan<Row, Payload> {
  return {
    read,
    write,
    cursorOf,
    ...(total ? { total } : {}),
    flags,
    chunkSize,
    throttle: storedThrottle(throttle) as WalkPlan<Row, Payload>["throttle"],
    queueMaxPerSecond,
    maxCommitMs,
  };
}

/** A throttle as a job's row stores it: 0 for none, and `unset` for a member that is not given. */
export function storedThrottle(
  { pauseMs, maxPerSecond }: z.output<typeof throttleSchema>,
  unset: 0 | null = 0,
): { pauseMs: number | null; maxPerSecond: number | null } {
  return {
    pauseMs: pauseMs ?? unset,
    maxPerSecond: maxPerSecond === undefined ? unset : (maxPerSecond ?? 0),
  };
}
