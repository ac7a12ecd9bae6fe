/** Time is a port, so that a whole fleet can run inside one test. */
export interface Clock {
  /** Milliseconds since 1970; stamps and due times. */
  now(): number;
  /** Milliseconds that never step back; lengths of time. */
  monotonic(): number;
  /** Calls back after `ms`, a whole number, once; returns how to take it back. */
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
 * A caller's clock as the store uses it: in whole milliseconds both ways, since times are stored as integers and a part of a
 * length (a third of a lease) is seldom whole. Rounded up, so that nothing is early.
 */
export function inWholeMilliseconds(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) => clock.after(Math.ceil(ms), callback),
  };
}
