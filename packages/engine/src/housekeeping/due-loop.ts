import type { Clock } from "../ports/clock.ts";

/** The delay before failed work is tried again. */
export const TRY_AGAIN_MS = 1_000;
/** Sleeps until the next call of `look` or `lookIn`. */
export const NOTHING_DUE = Number.POSITIVE_INFINITY;

/** Runs work when it becomes due: sleeps as long as the last run returned, or until `look` is called. */
export class DueLoop {
  readonly #clock: Clock;
  readonly #work: () => Promise<number>;
  readonly #onError: (error: unknown) => void;
  #cancelSleep: () => void = () => {};
  #wakesAt = NOTHING_DUE;
  #working: Promise<void> | undefined;
  #again = false;
  #closed = false;

  /** `work` does what is due and returns how long to sleep. */
  constructor(clock: Clock, work: () => Promise<number>, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#work = work;
    this.#onError = onError;
  }

  /** Runs the work now: something may have become due, or a new time was set. */
  look(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#working ??= this.#checkDue();
  }

  /** Runs the work in `ms` milliseconds, unless it will run sooner. */
  lookIn(ms: number): void {
    if (this.#closed || this.#working || this.#clock.monotonic() + ms >= this.#wakesAt) return;
    if (ms <= 0) this.look();
    else this.#sleep(ms);
  }

  /** Cancels the planned run. */
  rest(): void {
    this.#again = false;
    this.#sleep(NOTHING_DUE);
  }

  /** Waits for work under way, so that the store may be closed afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelSleep();
    await this.#working;
  }

  async #checkDue(): Promise<void> {
    let sleep = NOTHING_DUE;
    while (this.#again && !this.#closed) {
      this.#again = false;
      try {
        sleep = await this.#work();
      } catch (error) {
        this.#onError(error);
        sleep = TRY_AGAIN_MS;
      }
    }
    this.#working = undefined;
    if (!this.#closed) this.#sleep(sleep);
  }

  #sleep(ms: number): void {
    this.#cancelSleep();
    this.#cancelSleep = () => {};
    this.#wakesAt = this.#clock.monotonic() + ms;
    if (ms !== NOTHING_DUE) this.#cancelSleep = this.#clock.after(ms, () => this.look());
  }
}
