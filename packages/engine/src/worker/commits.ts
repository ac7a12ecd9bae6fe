import type { Store } from "../ports/store.ts";
import { complete, type SlowCompletion } from "../verbs/complete.ts";
import { type Waiting, writeTogether } from "../write-together.ts";

const MOST_TOGETHER = 16;
/** How long a completion waits at most for the writes of others. */
const PATIENCE_MS = 20;

/**
 * Writes completions that have writes of their own. Each has a transaction of its own, several at once: handlers that
 * lock rows in different orders would deadlock with a group of another process (3,000 jobs that each update one of ten
 * counters, in two processes: 43 to 92 jobs/s in groups, 232 apart). If the queue's rules state that its writes lock in
 * one order (`shareCommits`), the completions that arrive during a write share the next transaction: the round trips
 * and the commit are most of a short one.
 */
export class Commits {
  readonly #store: Store;
  readonly #mayShare: boolean;
  #waiting: Waiting<SlowCompletion, undefined>[] = [];
  #underWay = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(store: Store, mayShare: boolean) {
    this.#store = store;
    this.#mayShare = mayShare;
  }

  complete(completion: SlowCompletion): Promise<void> {
    // The end of a probe opens the whole queue, under its exclusive lock.
    if (completion.isProbe || !this.#mayShare) return complete(this.#store, [completion]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item: completion, resolve, reject });
      if (this.#underWay === 0) this.#go();
      else this.#stopWaiting ??= this.#store.clock.after(PATIENCE_MS, () => this.#go());
    });
  }

  #go(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    const group = this.#waiting.splice(0, MOST_TOGETHER);
    if (group.length === 0) return;
    this.#underWay++;
    void writeTogether(this.#store, group, (items) => this.#complete(items), "at-once").finally(() => {
      this.#underWay--;
      this.#go();
    });
  }

  async #complete(completions: readonly SlowCompletion[]): Promise<undefined[]> {
    await complete(this.#store, completions);
    return completions.map(() => undefined);
  }
}
