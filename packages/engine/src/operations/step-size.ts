/** Up to this many jobs change in one transaction, at once; a decision over more is carried out in steps. */
export const ONE_STEP = 100;

/** What others may have to wait for is one step: about half of the 100 ms that nobody notices. */
const LONGEST_STEP_MS = 50;
const MOST = 1_000;
/** Below this the commit is most of what a step costs: a machine that is busy makes no step shorter by fewer jobs. */
const FEWEST = 25;

/** How many jobs the next step takes, by how long the last one took. */
export class StepSize {
  #jobs: number;

  constructor(first = ONE_STEP) {
    this.#jobs = first;
  }

  get jobs(): number {
    return this.#jobs;
  }

  /** A step of so many jobs took this long. */
  took(ms: number, jobs: number): void {
    if (ms > LONGEST_STEP_MS) this.#jobs = Math.max(Math.min(FEWEST, this.#jobs), jobs >> 1);
    else if (ms < LONGEST_STEP_MS / 2 && jobs >= this.#jobs) this.#jobs = Math.min(MOST, this.#jobs * 2);
  }

  /** A step was refused: half of it may pass, and at last the job at fault stands alone. */
  refused(jobs: number): void {
    this.#jobs = Math.max(1, jobs >> 1);
  }
}
