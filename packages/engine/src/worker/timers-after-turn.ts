/** Something that needs a timer unless it has ended by the end of the turn. */
export interface Timed {
  armIfUnsettled(): void;
}

/**
 * Sets timers at the end of a turn of the event loop. Most short handlers settle within the turn in which they start,
 * and get none: a timer for each takes an eighth of a worker's own time.
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
