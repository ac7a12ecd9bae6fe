/** What wants a timer unless it has ended by then. */
export interface Timed {
  armIfUnsettled(): void;
}

/**
 * Most short handlers settle within the turn of the event loop in which they start: they ask for a timer at its end and, having
 * ended, get none. A timer for each was an eighth of a worker's own time.
 */
export class TimersAfterTurn {
  #waiting: Timed[] = [];

  add(timed: Timed): void {
    if (this.#waiting.push(timed) === 1) setImmediate(() => this.#arm());
  }

  #arm(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const timed of waiting) timed.armIfUnsettled();
  }
}
