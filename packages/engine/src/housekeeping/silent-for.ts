import type { Clock } from "../ports/clock.ts";

interface Observation {
  sign: number;
  silentFor: number;
}

/**
 * For how long each of several signs of life (counters) has not changed, in milliseconds of this process's own
 * monotonic clock: timestamps of other machines are never compared. Time in which this process could not look (it was
 * paused, or the store was unavailable) does not count.
 */
export class SilentFor {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Observation>();
  #lookedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `every`: the intended time between looks, in milliseconds. */
  observe(signs: ReadonlyMap<string, number>, every: number): void {
    const now = this.#clock.monotonic();
    const passed = this.#lookedAt === undefined ? 0 : Math.min(now - this.#lookedAt, every * 1.5);
    this.#lookedAt = now;
    for (const id of this.#seen.keys()) if (!signs.has(id)) this.#seen.delete(id);
    for (const [id, sign] of signs) {
      const before = this.#seen.get(id);
      this.#seen.set(id, { sign, silentFor: before?.sign === sign ? before.silentFor + passed : 0 });
    }
  }

  of(id: string): number {
    return this.#seen.get(id)?.silentFor ?? 0;
  }
}
