import type { Clock } from "../ports/clock.ts";

/** What could not be done is tried again after this long. */
export const TRY_AGAIN_MS = 1_000;
/** Sleeps until it is told to look. */
export const NOTHING_DUE = Number.POSITIVE_INFINITY;

/** Does what has become due: sleeps for as long as the last look said, or until it is told to look. */
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

  /** Something may have become due, or a new time was set. */
  look(): void {
    if (this.#closed) return;
    this.#again = true;
    this.#working ??= this.#checkDue();
  }

  /** Somebody saw that something is due in so many milliseconds: it looks then, if it would not look sooner. */
  lookIn(ms: number): void {
    if (this.#closed || this.#working || this.#clock.monotonic() + ms >= this.#wakesAt) return;
    if (ms <= 0) this.look();
    else this.#sleep(ms);
  }

  /** Nothing more is done until it is told to look. */
  rest(): void {
    this.#again = false;
    this.#sleep(NOTHING_DUE);
  }

  /** What is under way is finished first: the store may be closed afterwards. */
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
