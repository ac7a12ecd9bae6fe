export interface SeededRandom {
  /** A whole number from 0 to `most` - 1. */
  below(most: number): number;
}

/** Mulberry32: small, with the same numbers for the same seed on every machine. */
export function seeded(seed: number): SeededRandom {
  let state = seed >>> 0;
  return {
    below(most) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
    },
  };
}
