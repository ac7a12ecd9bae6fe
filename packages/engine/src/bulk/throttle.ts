import type { Clock } from "../ports/clock.ts";
import type { BulkBoundary } from "../ports/store.ts";
import type { HealthGate } from "./health-gate.ts";

/** The most lateness that the next chunk makes up for: a job that was slow for a while must not speed up afterwards. */
const CREDIT_MS = 250;
/**
 * The most that one chunk may use of a ceiling. A job exceeds its ceiling by at most one chunk and the credit: 2.75 of
 * 60 seconds, less than 5 % in any minute.
 */
const LONGEST_SHARE_MS = 2_500;
/**
 * A reservation further ahead was made before the clock was set back: no fleet is large enough to reserve this far
 * ahead.
 */
const LONGEST_LINE_MS = 600_000;

interface ThrottlePorts {
  readonly clock: Clock;
  readonly gate: HealthGate;
  /** Reserves a share of the queue's ceiling; returns the wall-clock time at which it may be used. */
  reserve(ms: number, credit: number, most: number): Promise<number>;
}

/**
 * Decides when a walk may process its next chunk. Each chunk waits for the time that the items of the previous chunk
 * are worth; the first one waits as if a full chunk had preceded it, so that the ceiling holds from the start.
 * Durations use the monotonic clock.
 */
export class Throttle {
  readonly #ports: ThrottlePorts;
  #row: BulkBoundary;
  /** When the last chunk began to count against the ceiling, and its number of items. */
  #paidFrom: number;
  #unpaid: number;
  #pausesFrom: number | null = null;
  #reservedUntil: number | null = null;
  /** Items that were reserved from the queue's ceiling and are not processed yet. */
  #left = 0;

  constructor(ports: ThrottlePorts, row: BulkBoundary, chunkSize: number) {
    this.#ports = ports;
    this.#row = row;
    this.#paidFrom = ports.clock.monotonic();
    this.#unpaid = this.limit(chunkSize);
    if (row.total !== null) this.#unpaid = Math.min(this.#unpaid, Math.max(0, row.total - row.processed));
  }

  /** Applies the row that was just read: an operator may have changed the throttle. */
  update(row: BulkBoundary): void {
    this.#row = row;
  }

  /** How many items the next chunk may have. */
  limit(chunkSize: number): number {
    const { maxPerSecond, queueMaxPerSecond } = this.#row;
    const ceiling = Math.min(maxPerSecond || Infinity, queueMaxPerSecond || Infinity);
    return Math.max(1, Math.min(chunkSize, Math.floor((ceiling * LONGEST_SHARE_MS) / 1_000)));
  }

  /** Reserves the next chunk's share of the queue's ceiling, once per chunk. */
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

  /** Records that a chunk of `items`, begun at `begunAt`, has just been committed. */
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
