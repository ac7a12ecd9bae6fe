import type { Clock } from "../ports/clock.ts";
import type { BulkBoundary } from "../ports/store.ts";
import type { HealthGate } from "./health-gate.ts";

/** So much lateness of timers is made up for, and no more: a job that was slow for a while must not hurry afterwards. */
const CREDIT_MS = 250;
/**
 * The most that one chunk may take of a ceiling. It goes over a ceiling by one chunk and the credit at most: 2.75 of 60 seconds,
 * less than 5 % in any minute.
 */
const LONGEST_SHARE_MS = 2_500;
/** A reservation further ahead was made before the clock was set back: no fleet waits this long for its turn. */
const LONGEST_LINE_MS = 600_000;

interface ThrottlePorts {
  readonly clock: Clock;
  readonly gate: HealthGate;
  /** Takes a share of the queue's ceiling; returns when it is due, by the wall clock. */
  reserve(ms: number, credit: number, most: number): Promise<number>;
}

/**
 * When a walk may go on. Every chunk pays for the items before it, the first one for a chunk that was not: so from the start on,
 * no more items are done than the ceiling allows. Lengths of time are by the monotonic clock.
 */
export class Throttle {
  readonly #ports: ThrottlePorts;
  #row: BulkBoundary;
  /** From when on the last chunk is paid for, and how many items it had. */
  #paidFrom: number;
  #unpaid: number;
  #pausesFrom: number | null = null;
  #reservedUntil: number | null = null;
  /** Of the queue's ceiling: items that were paid for and not done. */
  #left = 0;

  constructor(ports: ThrottlePorts, row: BulkBoundary, chunkSize: number) {
    this.#ports = ports;
    this.#row = row;
    this.#paidFrom = ports.clock.monotonic();
    this.#unpaid = this.limit(chunkSize);
    if (row.total !== null) this.#unpaid = Math.min(this.#unpaid, Math.max(0, row.total - row.processed));
  }

  /** An operator may have changed it. */
  update(row: BulkBoundary): void {
    this.#row = row;
  }

  /** How many items the next chunk may have. */
  limit(chunkSize: number): number {
    const { maxPerSecond, queueMaxPerSecond } = this.#row;
    const ceiling = Math.min(maxPerSecond || Infinity, queueMaxPerSecond || Infinity);
    return Math.max(1, Math.min(chunkSize, Math.floor((ceiling * LONGEST_SHARE_MS) / 1_000)));
  }

  /** Takes the next chunk's share of the queue's ceiling, once per chunk. */
  async reserve(chunkSize: number): Promise<void> {
    const { clock, reserve } = this.#ports;
    const { queueMaxPerSecond } = this.#row;
    if (!queueMaxPerSecond || this.#reservedUntil !== null) return;
    const items = this.limit(chunkSize);
    const ms = (Math.max(0, items - this.#left) * 1_000) / queueMaxPerSecond;
    const due = await reserve(ms, CREDIT_MS, LONGEST_LINE_MS);
    this.#left = Math.max(this.#left, items);
    this.#reservedUntil = clock.monotonic() + (due - clock.now());
  }

  /** How many milliseconds are left to wait before the next chunk. */
  waitMs(): number {
    const now = this.#ports.clock.monotonic();
    const pause = Math.max(this.#row.pauseMs ?? 0, this.#ports.gate.pauseMs);
    const pausedUntil = this.#pausesFrom === null ? now : this.#pausesFrom + pause;
    return Math.max(0, pausedUntil - now, this.#paidUntil() - now, (this.#reservedUntil ?? now) - now);
  }

  /** A chunk of so many items that began then is committed now. */
  took(items: number, begunAt: number): void {
    this.#paidFrom = Math.max(this.#paidUntil(), begunAt - CREDIT_MS);
    this.#unpaid = items;
    this.#pausesFrom = this.#ports.clock.monotonic();
    this.#reservedUntil = null;
    this.#left = Math.max(0, this.#left - items);
  }

  #paidUntil(): number {
    const { maxPerSecond } = this.#row;
    return maxPerSecond ? this.#paidFrom + (this.#unpaid * 1_000) / maxPerSecond : this.#paidFrom;
  }
}
