import { failPoint } from "../fail-points.ts";
import type { NewJob, Placed, Store } from "../ports/store.ts";
import { type Waiting, writeTogether } from "../write-together.ts";

type Adding = Waiting<readonly NewJob[], Placed[]>;

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
  #waiting: Adding[] = [];
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
      this.#waiting.push({ item: jobs, resolve, reject });
      if (this.#underWay < MOST_UNDER_WAY) this.#soon(() => this.#send());
    });
  }

  /** Adds of one caller to one lane, or to a serial line, go in the order of the calls, awaited or not. */
  #send(): void {
    if (this.#waiting.length === 0 || this.#orderedUnderWay || this.#underWay >= MOST_UNDER_WAY) return;
    const isOrdered =
      this.#serial || this.#waiting.some(({ item }) => item.some((job) => job.keys.length > 0));
    if (isOrdered && this.#underWay > 0) return;
    const batch = this.#take();
    this.#underWay++;
    this.#orderedUnderWay = isOrdered;
    void writeTogether(this.#store, batch, (adds) => this.#enqueue(adds)).finally(() => {
      this.#underWay--;
      this.#orderedUnderWay = false;
      this.#send();
    });
  }

  #take(): Adding[] {
    let jobs = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      if (count > 0 && jobs + item.length > MOST_AT_ONCE) break;
      jobs += item.length;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #enqueue(adds: readonly (readonly NewJob[])[]): Promise<Placed[][]> {
    const jobs = adds.flat();
    failPoint("add", "begin");
    const placed = await this.#store.enqueue(this.#queue, this.#serial, jobs);
    failPoint("add", "after-commit");
    this.#store.signal({ kind: "work", queue: this.#queue });
    if (jobs.some((job) => job.runAt !== null)) this.#store.signal({ kind: "timer" });
    let from = 0;
    return adds.map(({ length }) => {
      from += length;
      return placed.slice(from - length, from);
    });
  }
}
