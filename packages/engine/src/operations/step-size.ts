/** Up to this many jobs change in one transaction, at once; a decision over more is carried out in steps. */
export const ONE_STEP = 100;

/** What others may have to wait for is one step: it stays below the 100 ms that nobody notices. */
const LONGEST_STEP_MS = 75;
const SHORT_STEP_MS = 35;
const MOST = 1_000;

/**
 * How many jobs the next step takes, by how long the last one took. Never fewer than change at once anyhow: a step costs some
 * twenty round trips and a commit however few they are, and on a busy machine steps of 40 jobs took 80 ms as those of 100 did.
 */
export class StepSize {
  #jobs = ONE_STEP;

  get jobs(): number {
    return this.#jobs;
  }

  /** A step of so many jobs took this long. */
  took(ms: number, jobs: number): void {
    if (ms > LONGEST_STEP_MS) this.#jobs = Math.max(ONE_STEP, this.#jobs >> 1);
    else if (ms < SHORT_STEP_MS && jobs >= this.#jobs) this.#jobs = Math.min(MOST, this.#jobs * 2);
  }

  /** A step was refused: half of it may pass, and at last the job at fault stands alone. */
  refused(jobs: number): void {
    this.#jobs = Math.max(1, jobs >> 1);
  }
}
