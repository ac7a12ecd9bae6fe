import { percentile } from "../percentile.ts";

/** One measured action, repeated. `false`: the result was wrong. */
export type Act = () => Promise<boolean>;

export interface Measured {
  rate: number;
  p50: number;
  p99: number;
  wrong: number;
}

const SLICE_SECONDS = 1;

class Tally {
  readonly #waits: number[] = [];
  #seconds = 0;
  #wrong = 0;

  /** Runs all of them in parallel; each waits for its own act before the next. */
  async run(acts: readonly Act[], seconds: number): Promise<void> {
    const begin = performance.now();
    const end = begin + seconds * 1_000;
    const one = async (act: Act) => {
      for (let before = begin; before < end; ) {
        before = performance.now();
        if (!(await act())) this.#wrong++;
        this.#waits.push(performance.now() - before);
      }
    };
    await Promise.all(acts.map(one));
    this.#seconds += (performance.now() - begin) / 1_000;
  }

  measured(): Measured {
    return {
      rate: this.#waits.length / this.#seconds,
      p50: percentile(this.#waits, 0.5),
      p99: percentile(this.#waits, 0.99),
      wrong: this.#wrong,
    };
  }
}

/**
 * Measures two loads in alternating slices of a second, so that a slow moment of the machine affects both. The first slices
 * do not count.
 */
export async function sideBySide(
  ours: readonly Act[],
  beside: readonly Act[],
  seconds: number,
): Promise<[ours: Measured, beside: Measured]> {
  await new Tally().run(ours, SLICE_SECONDS);
  await new Tally().run(beside, SLICE_SECONDS);
  const tallies = [new Tally(), new Tally()] as const;
  for (let second = 0; second < seconds; second += SLICE_SECONDS) {
    await tallies[0].run(ours, SLICE_SECONDS);
    await tallies[1].run(beside, SLICE_SECONDS);
  }
  return [tallies[0].measured(), tallies[1].measured()];
}
