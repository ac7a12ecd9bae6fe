/** Histograms of one queue and minute that a worker measured, as text; null if there are none. */
export interface TimesRow {
  readonly queue: string;
  /** When the minute began. */
  readonly at: number;
  readonly waits: string | null;
  readonly runs: string | null;
}

/** One step of a queue's history. */
export interface HistoryRow {
  readonly at: number;
  readonly added: number;
  readonly done: number;
  readonly failed: number;
  readonly attemptsFailed: number;
  readonly waiting: number | null;
  readonly running: number | null;
  readonly waits: string | null;
  readonly runs: string | null;
}

/** The period in which a process with housekeeping ran; `until` is null while it runs. */
export interface HistoryRun {
  readonly from: number;
  readonly until: number | null;
}

export interface HistoryWish {
  readonly step: "m" | "h";
  /** The length of the step, in milliseconds. */
  readonly ms: number;
  readonly from: number;
  readonly before: number;
}

export interface Sample {
  readonly waiting: number;
  readonly running: number;
}

export interface StoredHistory {
  /** The steps that have counts or times, including those not merged yet. */
  readonly rows: readonly HistoryRow[];
  /** The last sample before the first step; null if there is none. */
  readonly sample: Sample | null;
  /** The present counts. */
  readonly now: Sample;
  readonly runs: readonly HistoryRun[];
}

/** How many jobs of one queue ended in one minute. */
export interface EndedInMinute {
  readonly queue: string;
  /** A time in that minute. */
  readonly at: number;
  readonly done: number;
  readonly failed: number;
}

/** The counts and times of a queue since its beginning. */
export type HistoryTotal = Omit<HistoryRow, "at" | "waiting" | "running">;
