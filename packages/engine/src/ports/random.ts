/** Chance is a port, so that a test can replay it. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
}

export const systemRandom: Random = { next: () => Math.random() };
