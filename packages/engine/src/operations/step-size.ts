/** Up to this many jobs change in one transaction, at once; a decision over more is carried out in steps. */
export const ONE_STEP = 100;

/** Other transactions may wait for one step, so a step stays below 100 ms, which nobody notices. */
const LONGEST_STEP_MS = 75;
const SHORT_STEP_MS = 35;
const MOST = 1_000;

/**
 * The number of jobs in the next step, by the duration of the last one. Only a refusal makes it smaller than ONE_STEP:
 * a step costs about twenty round trips and a commit whatever its size, and on a busy machine steps of 40 jobs took 80
 * ms, as steps of 100 did.
 */
export class StepSize {
  #jobs = ONE_STEP;

  get jobs(): number {
    return this.#jobs;
  }

  /** Records the duration of a step. */
  took(ms: number, jobs: number): void {
    if (ms > LONGEST_STEP_MS) this.#jobs = Math.max(ONE_STEP, this.#jobs >> 1);
    else if (ms < SHORT_STEP_MS && jobs >= this.#jobs) this.#jobs = Math.min(MOST, this.#jobs * 2);
  }

  /** Records that a step was refused: halves it, so that the job at fault is alone at last. */
  refused(jobs: number): void {
    this.#jobs = Math.max(1, jobs >> 1);
  }
}
