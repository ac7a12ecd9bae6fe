const WINDOW_MS = 60_000;
const FREE_FAILURES = 5;

interface BrakeOptions {
  /** The number of failures within a minute that cause the first wait. Default 5. */
  readonly freeFailures?: number;
}
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 300_000;
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  /** One minute after this time without another failure, the count is reset. */
  since: number;
  /** Failures before this time are refused. */
  until: number;
}

/**
 * Slows failed logins per client address: the fifth failure within a minute causes a wait of 5 s, and each failure after a
 * wait doubles it, up to 5 minutes. A success, or a minute without a failure after the wait, resets the count. Only failures
 * are refused during a wait: the caller checks the token or code first. Each process counts separately.
 */
export class LoginBrake {
  readonly #now: () => number;
  readonly #freeFailures: number;
  readonly #failures = new Map<string, Failures>();

  /** `now` must be monotonic. */
  constructor(now: () => number, { freeFailures = FREE_FAILURES }: BrakeOptions = {}) {
    this.#now = now;
    this.#freeFailures = freeFailures;
  }

  /** Seconds to wait before another try; 0: none. */
  secondsToWait(address: string): number {
    const until = this.#failures.get(address)?.until ?? 0;
    return Math.max(0, Math.ceil((until - this.#now()) / 1_000));
  }

  failed(address: string): void {
    const now = this.#now();
    const known = this.#failures.get(address);
    const before = known && now - known.since <= WINDOW_MS ? known : { count: 0, since: now };
    const count = before.count + 1;
    const until = count < this.#freeFailures ? 0 : now + waitAfter(count - this.#freeFailures);
    // Reinserted at the end, so that the first entry is the one with the oldest failure.
    this.#failures.delete(address);
    this.#failures.set(address, { count, until, since: Math.max(before.since, until) });
    if (this.#failures.size > MOST_ADDRESSES) this.#forgetOldest();
  }

  succeeded(address: string): void {
    this.#failures.delete(address);
  }

  #forgetOldest(): void {
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }
}

/** `more` is the number of failures after the first wait. */
function waitAfter(more: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** more, LONGEST_WAIT_MS);
}
