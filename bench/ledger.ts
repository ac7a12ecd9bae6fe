import type { BenchJob } from "./contender.ts";

/**
 * The benchmark's own record of what ran. A rate counts only if every job ran exactly once, and order is checked as the
 * handlers saw it: no queue's own report is trusted.
 */
export class Ledger {
  readonly total: number;
  started = 0;
  /** Times a job started although a later job of its key (or of the queue, without keys) had started before. */
  inversions = 0;
  /** Times a job started while another of its key was running. */
  overlaps = 0;
  #runs: Uint8Array;
  #last = new Map<string, number>();
  #running = new Set<string>();
  #waiters: { count: number; resolve: () => void }[] = [];

  constructor(total: number) {
    this.total = total;
    this.#runs = new Uint8Array(total);
  }

  start(job: BenchJob): void {
    this.#runs[job.n] = (this.#runs[job.n] ?? 0) + 1;
    this.started++;
    const next = this.#waiters[0];
    if (next !== undefined && this.started >= next.count) {
      this.#waiters.shift();
      next.resolve();
    }
  }

  /** Like `start`, and checks the order within the key. Each call needs a matching `end`. */
  startInOrder(job: BenchJob): void {
    const key = job.key ?? "";
    if (this.#running.has(key)) this.overlaps++;
    this.#running.add(key);
    if (job.n < (this.#last.get(key) ?? -1)) this.inversions++;
    this.#last.set(key, job.n);
    this.start(job);
  }

  end(job: BenchJob): void {
    this.#running.delete(job.key ?? "");
  }

  /** Resolves within the call that starts the last of this many jobs. */
  reached(count: number): Promise<void> {
    if (this.started >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push({ count, resolve });
      this.#waiters.sort((a, b) => a.count - b.count);
    });
  }

  /** The problems with the number of runs. `expected`: how many jobs should have run, if not all. */
  countProblems(expected = this.total): string[] {
    let missing = 0;
    let repeated = 0;
    for (const runs of this.#runs) {
      if (runs === 0) missing++;
      if (runs > 1) repeated++;
    }
    missing -= this.total - expected;
    const problems: string[] = [];
    if (missing > 0) problems.push(`${missing} of ${expected} jobs never ran`);
    if (repeated > 0) problems.push(`${repeated} jobs ran more than once`);
    return problems;
  }

  orderProblems(): string[] {
    const problems: string[] = [];
    if (this.inversions > 0) problems.push(`${this.inversions} jobs out of order`);
    if (this.overlaps > 0) problems.push(`${this.overlaps} jobs of one key at the same time`);
    return problems;
  }
}
