import type { JobState } from "./job-states.ts";

/** How fast a bulk job may go. */
export interface Throttle {
  /** The pause after each chunk, in milliseconds; 0: none. */
  pauseMs: number;
  /** Most items per second; null: no ceiling. */
  maxPerSecond: number | null;
}

/** A request to stop a job at its next chunk boundary. */
export interface AbortWish {
  by: string;
  reason: string | null;
  requestedAt: number;
}

/** What an abort did. Kept with the job, and written to the audit log. Times are milliseconds since 1970. */
export interface AbortReceipt extends AbortWish {
  /** `done`: the last chunk was committed before the job could stop. */
  outcome: "aborted" | "done";
  stoppedAt: number;
  /** The last committed position: a resumed job continues after it. */
  cursor: unknown;
  processed: number;
  total: number | null;
}

/** How far a bulk job has come. Times are milliseconds since 1970. */
export interface BulkState {
  jobId: string;
  state: JobState;
  cursor: unknown;
  /** Items whose chunks are committed. */
  processed: number;
  /** Null before the first start, and where the handler does not know it. */
  total: number | null;
  /** Over the last half minute of work; null while the job does not run, or before its second chunk. */
  ratePerSecond: number | null;
  estimatedEndAt: number | null;
  lastChunkAt: number | null;
  throttle: Throttle;
  /** Whether the job has a throttle of its own: it has started, or somebody set one. Before that the handler's settings apply. */
  isThrottleStored: boolean;
  /** The ceiling for all bulk jobs of the queue together; null: none. */
  queueMaxPerSecond: number | null;
  /** The database answers slower than the handler's limit, so the job runs slower; null otherwise. */
  slowed: { averageMs: number; limitMs: number } | null;
  /** The request to abort; it stays until the job is resumed. */
  abort: AbortWish | null;
  /** Null unless an abort was asked for and the job has stopped since. */
  receipt: AbortReceipt | null;
  resumedAt: number | null;
}
