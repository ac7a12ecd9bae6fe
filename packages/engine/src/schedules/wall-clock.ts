const DAY_MS = 86_400_000;

/**
 * The wall clock of a time zone. A wall time is expressed in milliseconds too: the time at which a clock in UTC shows
 * it.
 */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  /** Throws a RangeError for an unknown zone. */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  wallTimeAt(at: number): number {
    return at + this.#offsetAt(at);
  }

  /** The moment at which the wall clock first shows a time; for a time that it skips, the moment of the change. */
  momentOf(wall: number): number {
    const [before, after] = [this.#offsetAt(wall - DAY_MS), this.#offsetAt(wall + DAY_MS)];
    const shown = [wall - before, wall - after].filter((at) => this.wallTimeAt(at) === wall);
    if (shown.length > 0) return Math.min(...shown);
    return this.#changeBetween(wall - DAY_MS, wall + DAY_MS);
  }

  #offsetAt(at: number): number {
    const part: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(at)) part[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  }

  #changeBetween(from: number, until: number): number {
    const old = this.#offsetAt(from);
    let [low, high] = [from, until];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === old) low = middle;
      else high = middle;
    }
    return high;
  }
}
