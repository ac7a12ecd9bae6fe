/** The share of the newest answer in the moving average. */
const WEIGHT = 0.3;
/** While the database is slow, four fifths of the time are left to others. */
const PAUSES_PER_ANSWER = 4;
const LONGEST_PAUSE_MS = 30_000;

/** Slows a walk down while the database's time per chunk, as a moving average, is over a limit. */
export class HealthGate {
  readonly limitMs: number | null;
  #averageMs: number | null = null;

  constructor(limitMs: number | undefined) {
    this.limitMs = limitMs ?? null;
  }

  /** The average including a chunk that is not committed yet, if it is over the limit; else null. */
  slowWith(ms: number): number | null {
    const average = this.#with(ms);
    return this.limitMs !== null && average > this.limitMs ? Math.round(average) : null;
  }

  answered(ms: number): void {
    this.#averageMs = this.#with(ms);
  }

  /** How long to leave the database alone after a chunk. */
  get pauseMs(): number {
    if (this.limitMs === null || this.#averageMs === null || this.#averageMs <= this.limitMs) return 0;
    return Math.min(this.#averageMs * PAUSES_PER_ANSWER, LONGEST_PAUSE_MS);
  }

  #with(ms: number): number {
    return this.#averageMs === null ? ms : this.#averageMs * (1 - WEIGHT) + ms * WEIGHT;
  }
}
