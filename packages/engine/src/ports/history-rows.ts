/** Histograms of one queue and minute that a worker measured, as text; null where there are none. */
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

/** When a process that kept house ran; `until` is null while it runs. */
export interface HistoryRun {
  readonly from: number;
  readonly until: number | null;
}

export interface HistoryWish {
  readonly step: "m" | "h";
  /** How long the step is. */
  readonly ms: number;
  readonly from: number;
  readonly before: number;
}

export interface Sample {
  readonly waiting: number;
  readonly running: number;
}

export interface StoredHistory {
  /** Steps in which something happened, with what is not merged yet. */
  readonly rows: readonly HistoryRow[];
  /** The last sample before the first step; null where there is none. */
  readonly sample: Sample | null;
  /** The counts of this moment. */
  readonly now: Sample;
  readonly runs: readonly HistoryRun[];
}

/** What ended in one minute of one queue. */
export interface EndedInMinute {
  readonly queue: string;
  /** A time in that minute. */
  readonly at: number;
  readonly done: number;
  readonly failed: number;
}

/** What was counted and measured of a queue since the beginning. */
export type HistoryTotal = Omit<HistoryRow, "at" | "waiting" | "running">;
