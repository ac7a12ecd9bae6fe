import type { Store } from "@andon/engine";

const MOST_PER_READ = 500;
/** After a long time without a scrape, catching up takes several calls. */
const MOST_READS = 40;
const FAILURES = new Set(["job.failed", "job.skipped"]);

/** Final failures per queue since this object was created, counted from the feed. */
export class FailedTotals {
  readonly #store: Store;
  readonly #totals = new Map<string, number>();
  #after: number | undefined;
  #looking: Promise<unknown>;

  constructor(store: Store) {
    this.#store = store;
    this.#looking = this.#look().catch(() => {});
  }

  /** One read at a time: two concurrent reads would count the same events twice. */
  read(): Promise<ReadonlyMap<string, number>> {
    const looked = this.#looking.then(() => this.#look());
    this.#looking = looked.catch(() => {});
    return looked;
  }

  async #look(): Promise<ReadonlyMap<string, number>> {
    const { read } = this.#store;
    this.#after ??= await read.lastEventId();
    for (let reads = 0; reads < MOST_READS; reads++) {
      const events = await read.events(this.#after, MOST_PER_READ);
      for (const { id, type, queue } of events) {
        this.#after = id;
        if (queue && FAILURES.has(type)) this.#totals.set(queue, (this.#totals.get(queue) ?? 0) + 1);
      }
      if (events.length < MOST_PER_READ) break;
    }
    return this.#totals;
  }
}
