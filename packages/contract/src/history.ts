import * as z from "zod";
import { durationFrom } from "./duration.ts";

const DAY_MS = 86_400_000;
/** A reader of the feed that lost its connection goes on where it stood: it needs what came meanwhile. */
const SHORTEST_KEEP_MS = 60_000;
const kept = durationFrom(SHORTEST_KEEP_MS);

/** How long history is kept. The audit log is a chain of hashes, and is kept whole. */
export const historySchema = z.strictObject({
  events: kept.default(7 * DAY_MS).describe("How long rows of the feed are kept."),
  attempts: kept
    .default(30 * DAY_MS)
    .describe(
      "How long failed attempts of jobs that are still there are kept; those of purged jobs go with them.",
    ),
  stops: kept
    .default(365 * DAY_MS)
    .describe("How long certificates of stops are kept. A queue that is still stopped keeps its own."),
  arrivals: kept
    .default(30 * DAY_MS)
    .describe(
      "How long arrivals are kept: for jobs that park for them later, and so that a second one counts for nothing.",
    ),
  minutes: kept.default(7 * DAY_MS).describe("How long counts and times of queues are kept by the minute."),
  hours: kept.default(365 * DAY_MS).describe("How long they are kept by the hour."),
});
export type History = z.output<typeof historySchema>;
export type HistoryInput = z.input<typeof historySchema>;

export const HISTORY_STEP_NAMES = ["1m", "1h"] as const;
export type HistoryStepName = (typeof HISTORY_STEP_NAMES)[number];

/** One step of a queue's history; times in milliseconds. */
export interface HistoryPoint {
  /** When the step began. */
  readonly at: number;
  readonly added: number;
  readonly done: number;
  readonly failed: number;
  readonly attemptsFailed: number;
  /** Null where nothing ran. */
  readonly waitP50: number | null;
  readonly waitP95: number | null;
  readonly runP50: number | null;
  readonly runP95: number | null;
  /** Samples; null while no process ran. */
  readonly waiting: number | null;
  readonly running: number | null;
}

export interface QueueHistory {
  readonly queue: string;
  readonly step: HistoryStepName;
  readonly points: readonly HistoryPoint[];
}
