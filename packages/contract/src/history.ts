import * as z from "zod";
import { durationFrom } from "./duration.ts";

const DAY_MS = 86_400_000;
/** A reader that reconnects continues after the last event that it saw: the feed must be kept longer than a reconnect takes. */
const SHORTEST_KEEP_MS = 60_000;
const kept = durationFrom(SHORTEST_KEEP_MS);

/** How long history is kept. The audit log is a chain of hashes, so no row of it is ever deleted. */
export const historySchema = z.strictObject({
  events: kept.default(7 * DAY_MS).describe("How long rows of the feed are kept."),
  attempts: kept
    .default(30 * DAY_MS)
    .describe(
      "How long failed attempts are kept while their job is stored. A purged job takes its attempts with it.",
    ),
  stops: kept
    .default(365 * DAY_MS)
    .describe(
      "How long certificates of stops are kept. That of a queue that is still stopped is not deleted.",
    ),
  arrivals: kept
    .default(30 * DAY_MS)
    .describe(
      "How long arrivals are kept. In this time a job that parks later still finds its arrival, and a second arrival of the same event is ignored.",
    ),
  minutes: kept
    .default(7 * DAY_MS)
    .describe("How long the history of queues, its counts and times, is kept by the minute."),
  hours: kept.default(365 * DAY_MS).describe("How long the history of queues is kept by the hour."),
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
  /** The number of jobs at a moment of the step; null while no process ran. */
  readonly waiting: number | null;
  readonly running: number | null;
}

export interface QueueHistory {
  readonly queue: string;
  readonly step: HistoryStepName;
  readonly points: readonly HistoryPoint[];
}
