/** The failed jobs of one queue that are in no lane and have the same fingerprint. */
export interface FailuresWithoutLane {
  readonly fingerprint: string;
  readonly count: number;
  /** The position of the one that was added last. */
  readonly newest: number;
}

/**
 * Reads failed jobs by their cause, for alerts. The same reads exist inside a transaction (`tx.failures`), where they
 * see its own writes, and outside (`store.read.failures`).
 */
export interface FailureReading {
  /** Whether a failed job with this fingerprint is left. */
  hasFailed(queue: string, fingerprint: string): Promise<boolean>;
  /** How many there are, counted up to `most`. */
  countFailed(queue: string, fingerprint: string, most: number): Promise<number>;
  /** The last `most` failed jobs of a queue that are in no lane, by fingerprint. */
  withoutLane(queue: string, most: number): Promise<FailuresWithoutLane[]>;
}
