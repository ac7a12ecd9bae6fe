import type { Clock } from "@andon/engine";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const START = Date.UTC(2031, 4, 6, 7, 8, 9, 100);

/** A clock that stands still until a test moves it: minutes of back-off pass in milliseconds, and always the same way. */
export class ManualClock implements Clock {
  #now = START;
  #monotonic = 1_000;
  #timers: Timer[] = [];

  /** Whole milliseconds, as every clock tells them: a third of a lease is none. */
  now(): number {
    return Math.round(this.#now);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#monotonic + Math.max(ms, 0), callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Somebody set the wall clock: stamps jump, lengths of time do not. */
  setWallClockBy(ms: number): void {
    this.#now += ms;
  }

  /** Moves to the next timer at or before `end` and calls it; false where there is none, and then the time is `end`. */
  moveToNext(end: number): boolean {
    const [next] = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
    this.#moveTo(next?.at ?? end);
    if (!next) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    next.callback();
    return true;
  }

  /** The process was paused: time has passed and no timer was called meanwhile. */
  jump(ms: number): void {
    this.#moveTo(this.#monotonic + ms);
  }

  #moveTo(at: number): void {
    const passed = Math.max(0, at - this.#monotonic);
    this.#monotonic += passed;
    this.#now += passed;
  }
}
