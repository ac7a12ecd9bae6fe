import type { Store } from "../ports/store.ts";
import { promote } from "../verbs/promote.ts";
import { LATEST_LOOK_MS } from "./due-loop.ts";

const BACK_SOON_MS = 5;
/** How long all are waited for before the others get their next look. */
const PATIENCE_MS = 100;

/**
 * Puts jobs in line whose time has come. Queues are promoted side by side, each one at a time: one that is locked for
 * long, or fails, holds up none of the others.
 */
export class Promoter {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  readonly #underWay = new Map<string, Promise<void>>();
  /** When queues that failed are tried again. Each failure is told when it begins, not at every try. */
  readonly #failed = new Map<string, number>();

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** Returns how long to sleep. */
  async promoteDue(): Promise<number> {
    const { read, clock } = this.#store;
    const next = await read.nextDue();
    if (next === undefined) return LATEST_LOOK_MS;
    if (next > clock.now()) return next - clock.now();
    const due = (await read.dueQueues(clock.now())).filter((queue) => this.#isFree(queue));
    if (due.length === 0) return PATIENCE_MS;
    await this.#patiently(due.map((queue) => this.#start(queue)));
    return BACK_SOON_MS;
  }

  /** Resolves when nothing is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  #isFree(queue: string): boolean {
    return !this.#underWay.has(queue) && (this.#failed.get(queue) ?? 0) <= this.#store.clock.monotonic();
  }

  #start(queue: string): Promise<void> {
    const promoting = this.#promote(queue).finally(() => this.#underWay.delete(queue));
    this.#underWay.set(queue, promoting);
    return promoting;
  }

  async #promote(queue: string): Promise<void> {
    try {
      await promote(this.#store, queue);
      this.#failed.delete(queue);
    } catch (error) {
      if (!this.#failed.has(queue)) this.#onError(error);
      this.#failed.set(queue, this.#store.clock.monotonic() + LATEST_LOOK_MS);
    }
  }

  async #patiently(promotions: readonly Promise<void>[]): Promise<void> {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#store.clock.after(PATIENCE_MS, resolve);
    });
    await Promise.race([Promise.all(promotions), late]);
    cancel();
  }
}
