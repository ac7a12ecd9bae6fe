import { bytesIn, firstOf } from "../batch.ts";
import { failPoint } from "../fail-points.ts";
import type { NewJob, Placed, Store } from "../ports/store.ts";
import { type Waiting, writeTogether } from "../write-together.ts";

type Adding = Waiting<readonly NewJob[], Placed[]>;

/** Schedules the first write: before or after the other work of this turn of the event loop. */
export type Soon = (send: () => void) => void;

const MOST_AT_ONCE = 1_000;
/** Two statements may be under way at once if neither has an order to keep. */
const MOST_UNDER_WAY = 2;

/** How many groups of adds are written at once after a locked lane has split a batch. */
const MOST_APART = 4;

/**
 * Gathers concurrent adds to one queue into one statement. The first add is written at once; the adds called while it
 * is under way are written together. No add resolves before the commit that stores its job.
 *
 * If another transaction holds the lock of a lane, the adds of the batch are written separately: adds to that lane, and
 * later ones, wait for the lock, and the other adds do not.
 */
export class Gatherer {
  readonly #store: Store;
  readonly #queue: string;
  readonly #serial: boolean;
  readonly #soon: Soon;
  #waiting: Adding[] = [];
  #underWay = 0;
  #orderedUnderWay = false;
  /**
   * Groups of adds that share lanes with each other and with no other group, and the lanes of all groups not written
   * yet.
   */
  readonly #apart: Adding[][] = [];
  readonly #lanesApart = new Set<string>();
  #writingApart = 0;

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

  /** Adds of one caller to one lane, or to a serial queue, are written in the order of the calls, awaited or not. */
  #send(): void {
    if (this.#waiting.length === 0 || this.#orderedUnderWay || this.#underWay >= MOST_UNDER_WAY) return;
    const isOrdered =
      this.#serial || this.#waiting.some(({ item }) => item.some((job) => job.lanes.length > 0));
    if (isOrdered && this.#underWay > 0) return;
    const batch = this.#take();
    if (batch.length === 0) return;
    this.#underWay++;
    this.#orderedUnderWay = isOrdered;
    void this.#write(batch).finally(() => {
      this.#underWay--;
      this.#orderedUnderWay = false;
      this.#send();
    });
  }

  #take(): Adding[] {
    const free = this.#lanesApart.size > 0 ? this.#freeAdds() : this.#waiting;
    const count = firstOf(free, MOST_AT_ONCE, bytesOf, ({ item }) => item.length);
    if (free === this.#waiting) return this.#waiting.splice(0, count);
    const taken = new Set(free.slice(0, count));
    this.#waiting = this.#waiting.filter((adding) => !taken.has(adding));
    return [...taken];
  }

  /**
   * The adds that need not wait for a locked lane. An add waits too if it shares a lane with an earlier add that waits.
   */
  #freeAdds(): Adding[] {
    const held = new Set(this.#lanesApart);
    return this.#waiting.filter((adding) => {
      const keys = keysOf(adding);
      const isFree = !keys.some((key) => held.has(key));
      for (const key of isFree ? [] : keys) held.add(key);
      return isFree;
    });
  }

  #write(batch: readonly Adding[]): Promise<void> {
    const write = (adds: readonly (readonly NewJob[])[]) => this.#enqueue(adds, adds.length === 1);
    return writeTogether(this.#store, batch, write, "in-order", (error) => {
      const isLocked = batch.length > 1 && this.#store.isLocked(error);
      if (isLocked) this.#writeApart(batch);
      return isLocked;
    });
  }

  #writeApart(batch: readonly Adding[]): void {
    for (const group of groupsByLane(batch)) {
      for (const key of group.flatMap(keysOf)) this.#lanesApart.add(key);
      this.#apart.push(group);
    }
    this.#sendApart();
  }

  #sendApart(): void {
    while (this.#writingApart < MOST_APART) {
      const group = this.#apart.shift();
      if (!group) return;
      this.#writingApart++;
      void this.#writeInOrder(group).finally(() => {
        this.#writingApart--;
        for (const key of group.flatMap(keysOf)) this.#lanesApart.delete(key);
        this.#sendApart();
        this.#send();
      });
    }
  }

  async #writeInOrder(group: readonly Adding[]): Promise<void> {
    for (const adding of group) await this.#write([adding]);
  }

  async #enqueue(adds: readonly (readonly NewJob[])[], mayWait: boolean): Promise<Placed[][]> {
    const jobs = adds.flat();
    failPoint("add", "begin");
    const placed = await this.#store.enqueue(this.#queue, this.#serial, jobs, mayWait);
    failPoint("add", "after-commit");
    if (jobs.some((job) => job.runAt !== null)) this.#store.signal({ kind: "timer" });
    let from = 0;
    return adds.map(({ length }) => {
      from += length;
      return placed.slice(from - length, from);
    });
  }
}

function keysOf({ item }: Adding): string[] {
  return item.flatMap((job) => job.lanes);
}

/** Adds that share a lane, directly or through others, are one group; those of one lane keep their order. */
function groupsByLane(batch: readonly Adding[]): Adding[][] {
  const groups = new Set<Adding[]>();
  const groupOf = new Map<string, Adding[]>();
  for (const adding of batch) {
    const keys = keysOf(adding);
    const met = new Set(keys.flatMap((key) => (groupOf.has(key) ? [groupOf.get(key) as Adding[]] : [])));
    const group = [...[...met].flat(), adding];
    for (const one of met) groups.delete(one);
    groups.add(group);
    for (const key of group.flatMap(keysOf)) groupOf.set(key, group);
  }
  return [...groups];
}

function bytesOf({ item }: Adding): number {
  let bytes = 0;
  for (const { payload } of item) bytes += bytesIn(payload);
  return bytes;
}
