import type { Language } from "./errors.ts";
import type { Job } from "./shapes.ts";

/** One check of a job before it runs. If it is not ok, the job will fail. */
export interface RehearsalCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, for people. */
  readonly detail: string | null;
}

/** What a queue would meet if it were resumed now. */
export interface Rehearsal {
  /** `ok` is null where the queue does not define how its destination is asked. */
  readonly destination: {
    readonly ok: boolean | null;
    readonly latencyMs: number | null;
    readonly problem: string | null;
  };
  /** The jobs that would start first, in their order. */
  readonly next: readonly RehearsedJob[];
  /** How long all waiting jobs would take at the pace of the history; null where the history has no pace. */
  readonly estimatedMs: number | null;
}

export interface RehearsedJob {
  readonly job: Job;
  readonly checks: readonly RehearsalCheck[];
}

/** How the outside world is asked before a queue is resumed. Neither question may change anything. */
export interface RehearsalQuestions {
  /** Null if the destination would take a job now, else what is wrong with it. A thrown error counts as a problem. */
  readonly destination: (asked: RehearsalQuestion) => Promise<string | null>;
  /**
   * Checks what this job would meet if the destination answers and the jobs in `before` succeed. Default: nothing is checked.
   */
  readonly check?: (
    job: Job,
    asked: RehearsalQuestion & { readonly before: readonly Job[] },
  ) => Promise<readonly RehearsalCheck[]>;
}

export interface RehearsalQuestion {
  readonly language: Language;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface RehearsalOptions {
  /** How many of the next jobs are checked. Default: 5, at most 50. */
  readonly limit?: number | undefined;
  /** As if every failed job were retried first. Default: false. */
  readonly retryFailed?: boolean | undefined;
  /** The language of what was found. Default: `en`. */
  readonly language?: Language | undefined;
}

export const REHEARSED_JOBS = { preset: 5, most: 50 } as const;
