/** Up to this many jobs change in one transaction, at once; a decision over more is carried out in steps. */
export const ONE_STEP = 100;

/** What others may have to wait for is one step: about half of the 100 ms that nobody notices. */
const LONGEST_STEP_MS = 50;
const MOST = 1_000;
const FEWEST = 10;
/** How much an earlier step still tells. */
const REMEMBERED = 0.8;

/**
 * How many jobs the next step takes, by how long the last ones took: a part that every step costs, however small it is (round
 * trips, the commit), and a part per job. Where a busy machine makes the first part alone too long, smaller steps would only
 * make the whole longer: the jobs keep half of the time.
 */
export class StepSize {
  #jobs: number;
  /** Sums over the steps, of weights, jobs, times and their products: a line is laid through them. */
  readonly #sums = { w: 0, n: 0, t: 0, nn: 0, nt: 0 };

  constructor(first = ONE_STEP) {
    this.#jobs = first;
  }

  get jobs(): number {
    return this.#jobs;
  }

  /** A step of so many jobs took this long. */
  took(ms: number, jobs: number): void {
    const sums = this.#sums;
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] *= REMEMBERED;
    sums.w += 1;
    sums.n += jobs;
    sums.t += ms;
    sums.nn += jobs * jobs;
    sums.nt += jobs * ms;
    const spread = sums.w * sums.nn - sums.n * sums.n;
    const slope = spread > 1 ? (sums.w * sums.nt - sums.n * sums.t) / spread : ms / jobs;
    const perJob = Math.max(0.001, Math.min(slope, ms / jobs));
    const perStep = Math.max(0, (sums.t - perJob * sums.n) / sums.w);
    const room = Math.max(LONGEST_STEP_MS - perStep, LONGEST_STEP_MS / 2);
    this.#set(room / perJob);
  }

  /** A step was refused: half of it may pass, and at last the job at fault stands alone. */
  refused(jobs: number): void {
    this.#jobs = Math.max(1, jobs >> 1);
  }

  /** At most double or half of the last one: one step may have been slow for reasons of its own. */
  #set(wanted: number): void {
    const near = Math.min(Math.max(wanted, this.#jobs / 2), this.#jobs * 2);
    this.#jobs = Math.round(Math.min(MOST, Math.max(FEWEST, near)));
  }
}
