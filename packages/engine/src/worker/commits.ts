import type { Store } from "../ports/store.ts";
import { complete, type SlowCompletion } from "../verbs/complete.ts";

interface Waiting {
  readonly completion: SlowCompletion;
  resolve(): void;
  reject(error: unknown): void;
}

const MOST_TOGETHER = 16;
/** Longer than this nobody waits for the writes of others. */
const PATIENCE_MS = 5;

/**
 * Completions with writes of their own. Those that come up while one is being written go into the next transaction
 * together: of a short one, most is the round trips and the commit. Where one of several fails, each goes again by itself;
 * where the store is away, everybody is told, and tries again in good time.
 */
export class Commits {
  readonly #store: Store;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  complete(completion: SlowCompletion): Promise<void> {
    // The end of a probe opens the whole line, under a lock that keeps everybody out.
    if (completion.isProbe) return complete(this.#store, [completion]);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ completion, resolve, reject });
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
    void this.#write(group).finally(() => {
      this.#underWay--;
      this.#go();
    });
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      await complete(
        this.#store,
        group.map(({ completion }) => completion),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (group.length === 1 || this.#store.isUnavailable(error))
        for (const { reject } of group) reject(error);
      else await Promise.all(group.map((one) => this.#write([one])));
    }
  }
}
