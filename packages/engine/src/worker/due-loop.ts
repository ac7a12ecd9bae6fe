import type { Clock } from "../ports/clock.ts";

export const LATEST_LOOK_MS = 1_000;

/** Does what has become due: sleeps for as long as the last look said, a second at most, or until it is told to look. */
export class DueLoop {
  readonly #clock: Clock;
  readonly #work: () => Promise<number>;
  readonly #onError: (error: unknown) => void;
  #cancelSleep: () => void = () => {};
  #working: Promise<void> | undefined;
  #again = false;
  #closed = false;

  /** `work` does what is due and returns how long to sleep. */
  constructor(clock: Clock, work: () => Promise<number>, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#work = work;
    this.#onError = onError;
  }

  /** Something may have become due, or a new time was set. */
  look(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#working ??= this.#lookAround();
  }

  /** What is under way is finished first: the store may be closed afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelSleep();
    await this.#working;
  }

  async #lookAround(): Promise<void> {
    let sleep = LATEST_LOOK_MS;
    while (this.#again && !this.#closed) {
      this.#again = false;
      try {
        sleep = Math.min(await this.#work(), LATEST_LOOK_MS);
      } catch (error) {
        this.#onError(error);
        sleep = LATEST_LOOK_MS;
      }
    }
    this.#working = undefined;
    if (this.#closed) return;
    this.#cancelSleep();
    this.#cancelSleep = this.#clock.after(sleep, () => this.look());
  }
}
