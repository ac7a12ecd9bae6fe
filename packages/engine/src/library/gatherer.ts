import { failPoint } from "../fail-points.ts";
import type { NewJob, Placed, Store } from "../ports/store.ts";

interface Waiting {
  readonly jobs: readonly NewJob[];
  resolve(placed: Placed[]): void;
  reject(error: unknown): void;
}

/** When the first of several adds goes out: before or after whatever else this turn of the event loop brings. */
export type Soon = (send: () => void) => void;

const MOST_AT_ONCE = 1_000;
/** While one statement is under way the next one may go too, as long as neither has an order to keep. */
const MOST_UNDER_WAY = 2;

/**
 * Gathers adds to one queue that are in flight at the same time into one statement. The first goes out at once; what
 * comes while it is under way goes out together. Nobody is answered before the commit that holds the job.
 */
export class Gatherer {
  readonly #store: Store;
  readonly #queue: string;
  readonly #serial: boolean;
  readonly #soon: Soon;
  #waiting: Waiting[] = [];
  #underWay = 0;
  #orderedUnderWay = false;

  constructor(store: Store, queue: string, serial: boolean, soon: Soon) {
    this.#store = store;
    this.#queue = queue;
    this.#serial = serial;
    this.#soon = soon;
  }

  add(jobs: readonly NewJob[]): Promise<Placed[]> {
    this.#store.refuseNesting();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ jobs, resolve, reject });
      if (this.#underWay < MOST_UNDER_WAY) this.#soon(() => this.#send());
    });
  }

  /** Adds of one caller to one lane, or to a serial line, go in the order of the calls, awaited or not. */
  #send(): void {
    if (this.#waiting.length === 0 || this.#orderedUnderWay || this.#underWay >= MOST_UNDER_WAY) return;
    const isOrdered =
      this.#serial || this.#waiting.some(({ jobs }) => jobs.some((job) => job.keys.length > 0));
    if (isOrdered && this.#underWay > 0) return;
    const batch = this.#take();
    this.#underWay++;
    this.#orderedUnderWay = isOrdered;
    void this.#write(batch).finally(() => {
      this.#underWay--;
      this.#orderedUnderWay = false;
      this.#send();
    });
  }

  #take(): Waiting[] {
    let jobs = 0;
    let count = 0;
    for (const waiting of this.#waiting) {
      if (count > 0 && jobs + waiting.jobs.length > MOST_AT_ONCE) break;
      jobs += waiting.jobs.length;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  /** A batch that is refused is sent again one by one, so that one caller's bad job is only that caller's error. */
  async #write(batch: Waiting[]): Promise<void> {
    try {
      this.#answer(batch, await this.#enqueue(batch));
    } catch (error) {
      if (batch.length === 1 || this.#store.isUnavailable(error))
        for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await this.#write([waiting]);
    }
  }

  async #enqueue(batch: Waiting[]): Promise<Placed[]> {
    const jobs = batch.flatMap((waiting) => waiting.jobs);
    failPoint("add", "begin");
    const placed = await this.#store.enqueue(this.#queue, this.#serial, jobs);
    failPoint("add", "after-commit");
    this.#store.signal({ kind: "work", queue: this.#queue });
    if (jobs.some((job) => job.runAt !== null)) this.#store.signal({ kind: "timer" });
    return placed;
  }

  #answer(batch: Waiting[], placed: Placed[]): void {
    let from = 0;
    for (const { jobs, resolve } of batch) {
      resolve(placed.slice(from, from + jobs.length));
      from += jobs.length;
    }
  }
}
