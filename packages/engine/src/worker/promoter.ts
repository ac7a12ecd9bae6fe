import type { Store } from "../ports/store.ts";
import { promote } from "../verbs/promote.ts";

const LATEST_LOOK_MS = 1_000;
const BACK_SOON_MS = 5;

/** Puts jobs in line when their time comes: sleeps until the next one is due, and looks at least once a second. */
export class Promoter {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  #cancelSleep: () => void = () => {};
  #working = false;
  #again = false;
  #closed = false;

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Something may have become due, or a new time was set. */
  look(): void {
    if (this.#closed) return;
    this.#again = true;
    if (!this.#working) void this.#work();
  }

  close(): void {
    this.#closed = true;
    this.#cancelSleep();
  }

  async #work(): Promise<void> {
    this.#working = true;
    let sleep = LATEST_LOOK_MS;
    while (this.#again && !this.#closed) {
      this.#again = false;
      try {
        sleep = await this.#promoteDue();
      } catch (error) {
        this.#onError(error);
        sleep = LATEST_LOOK_MS;
      }
    }
    this.#working = false;
    if (this.#closed) return;
    this.#cancelSleep();
    this.#cancelSleep = this.#store.clock.after(sleep, () => this.look());
  }

  /** Returns how long to sleep. */
  async #promoteDue(): Promise<number> {
    const { read, clock } = this.#store;
    const next = await read.nextDue();
    if (next === undefined) return LATEST_LOOK_MS;
    if (next > clock.now()) return Math.min(next - clock.now(), LATEST_LOOK_MS);
    for (const queue of await read.dueQueues(clock.now())) await promote(this.#store, queue);
    return BACK_SOON_MS;
  }
}
