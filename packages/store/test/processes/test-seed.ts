import { onTestFailed } from "vitest";

/** The seed of this test: another one each run, `ANDON_SEED` to repeat one. It is printed when the test fails. */
export function testSeed(): number {
  const seed = Number(process.env.ANDON_SEED ?? Math.floor(Math.random() * 1_000_000));
  onTestFailed(() => console.error(`to repeat: ANDON_SEED=${seed}`));
  return seed;
}
