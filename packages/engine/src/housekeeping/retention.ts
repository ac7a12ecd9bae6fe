import type { History } from "@andon/contract";
import type { HistoryKind, Store } from "../ports/store.ts";

const MOST_AT_ONCE = 1_000;
/** The most steps per check: the next check deletes the rest. */
const MOST_STEPS = 200;

/**
 * Deletes history rows past their retention, along an index from the oldest on, a thousand per transaction. One
 * read-only statement finds whether there are any.
 */
export class Retention {
  readonly #store: Store;
  readonly #keep: History;

  constructor(store: Store, keep: History) {
    this.#store = store;
    this.#keep = keep;
  }

  async run(): Promise<void> {
    const now = Math.floor(this.#store.clock.now());
    const oldest = await this.#store.read.oldestHistory();
    for (const kind of Object.keys(this.#keep) as HistoryKind[]) {
      const before = now - this.#keep[kind];
      const at = oldest[kind];
      if (at !== null && at < before) await this.#delete(kind, before);
    }
  }

  async #delete(kind: HistoryKind, before: number): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step++) {
      const gone = await this.#store.transaction("retention", (tx) =>
        tx.dropHistory(kind, before, MOST_AT_ONCE),
      );
      if (gone === 0) return;
    }
  }
}
