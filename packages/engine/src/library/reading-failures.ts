/** Failed jobs of one queue without a lane that failed the same way. */
export interface FailuresWithoutLane {
  readonly fingerprint: string;
  readonly count: number;
  /** The one that failed last. */
  readonly newest: number;
}

/**
 * What somebody who tells people about failures asks: failed jobs by their cause. The same questions inside of a
 * transaction (`tx.failures`), which then sees its own writes, and outside (`store.read.failures`).
 */
export interface FailureReading {
  /** Whether a failed job with this fingerprint is left. */
  hasFailed(queue: string, fingerprint: string): Promise<boolean>;
  /** How many there are, counted up to `most`. */
  countFailed(queue: string, fingerprint: string, most: number): Promise<number>;
  /** The last `most` failed jobs of a queue that stand in no lane, by fingerprint. */
  withoutLane(queue: string, most: number): Promise<FailuresWithoutLane[]>;
}
