/** Time is a port, so that a whole fleet can run inside one test. */
export interface Clock {
  /** Milliseconds since 1970; stamps and due times. */
  now(): number;
  /** Milliseconds that never step back; lengths of time. */
  monotonic(): number;
  /** Calls back after `ms`, once; returns how to take it back. */
  after(ms: number, callback: () => void): () => void;
}

const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};
