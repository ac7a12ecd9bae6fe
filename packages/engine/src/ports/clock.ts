/** Time is a port, so that a whole fleet can run inside one test. */
export interface Clock {
  /** Milliseconds since 1970, for timestamps and due times. */
  now(): number;
  /** Milliseconds that never step back, for durations. */
  monotonic(): number;
  /** Calls `callback` once after `ms`, a whole number; returns a function that cancels it. */
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

/**
 * A caller's clock as the store uses it, in whole milliseconds: times are stored as integers, and a part of a duration
 * (a third of a lease) is seldom whole. Delays are rounded up, so that nothing runs early.
 */
export function inWholeMilliseconds(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) => clock.after(Math.ceil(ms), callback),
  };
}
