import { onTestFailed } from "vitest";

/** The seed of this test: a new one each run, or `ANDON_SEED` to repeat one. It is printed if the test fails. */
export function testSeed(): number {
  const seed = Number(process.env.ANDON_SEED ?? Math.floor(Math.random() * 1_000_000));
  onTestFailed(() => console.error(`to repeat: ANDON_SEED=${seed}`));
  return seed;
}
