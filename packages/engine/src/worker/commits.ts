import type { Store } from "../ports/store.ts";
import { complete, type SlowCompletion } from "../verbs/complete.ts";
import { type Waiting, writeTogether } from "../write-together.ts";

const MOST_TOGETHER = 16;
/** Longer than this nobody waits for the writes of others. */
const PATIENCE_MS = 20;

/**
 * Completions with writes of their own. Each is a transaction of its own, several at once: two handlers that lock rows in
 * different orders would deadlock with a group of another process (3,000 jobs that each update one of ten counters, in two
 * processes: 43 to 92 jobs/s in groups, 232 apart). Where the queue's rules say that its writes lock in one order
 * (`shareCommits`), those that come up while one is being written go into the next transaction together: of a short one,
 * most is the round trips and the commit.
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
    // The end of a probe opens the whole line, under a lock that keeps everybody out.
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
