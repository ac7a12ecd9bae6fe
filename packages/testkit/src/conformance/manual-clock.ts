import type { Clock } from "@andon/engine";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

const START = Date.UTC(2031, 4, 6, 7, 8, 9, 100);

/** A clock that moves only when a test moves it: minutes of back-off take milliseconds, always in the same order. */
export class ManualClock implements Clock {
  #now = START;
  #monotonic = 1_000;
  #timers: Timer[] = [];

  /** In whole milliseconds, like every clock: a third of a lease need not be a whole number. */
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

  /** Simulates setting the wall clock: timestamps jump, durations do not. */
  setWallClockBy(ms: number): void {
    this.#now += ms;
  }

  /** Moves to the next timer at or before `end` and calls it. Without one it moves to `end` and returns false. */
  moveToNext(end: number): boolean {
    const [next] = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
    this.#moveTo(next?.at ?? end);
    if (!next) return false;
    this.#timers = this.#timers.filter((timer) => timer !== next);
    next.callback();
    return true;
  }

  /** Simulates a pause of the process: time passes and no timer is called meanwhile. */
  jump(ms: number): void {
    this.#moveTo(this.#monotonic + ms);
  }

  #moveTo(at: number): void {
    const passed = Math.max(0, at - this.#monotonic);
    this.#monotonic += passed;
    this.#now += passed;
  }
}
