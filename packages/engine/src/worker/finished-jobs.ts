import { bytesIn, firstOf } from "../batch.ts";
import type { Completion } from "../ports/store.ts";

/** Completions of one request. `isPart`: of a request that the store refused; nothing is claimed with it. */
export interface Batch {
  readonly done: Completion[];
  readonly isPart: boolean;
}

/**
 * Completions that wait to be written, in requests of so many jobs and bytes. A request that the store refuses goes again in
 * halves, until the completion at fault stands alone: the others are none the worse for it.
 */
export class FinishedJobs {
  #waiting: Completion[] = [];
  #parts: Completion[][] = [];

  get size(): number {
    return this.#waiting.length + this.#parts.length;
  }

  get all(): readonly Completion[] {
    return this.#parts.length === 0 ? this.#waiting : [...this.#parts.flat(), ...this.#waiting];
  }

  push(completion: Completion): void {
    this.#waiting.push(completion);
  }

  take(most: number): Batch {
    const part = this.#parts.shift();
    if (part) return { done: part, isPart: true };
    return { done: this.#waiting.splice(0, firstOf(this.#waiting, most, bytesOf)), isPart: false };
  }

  /** They were not written, or nobody knows: they come first next time. */
  putBack(done: readonly Completion[]): void {
    this.#waiting.unshift(...done);
  }

  /** The store refused to write them. Returns the one at fault where it stood alone. */
  refused({ done, isPart }: Batch): Completion | undefined {
    if (isPart && done.length === 1) return done[0];
    const half = Math.ceil(done.length / 2);
    for (const part of [done.slice(half), done.slice(0, half)])
      if (part.length > 0) this.#parts.unshift(part);
    return undefined;
  }

  /** Forgets those that are stored, or that nobody waits for any more. */
  drop(isGone: (completion: Completion) => boolean): void {
    const kept = (done: Completion[]) => done.filter((completion) => !isGone(completion));
    this.#waiting = kept(this.#waiting);
    this.#parts = this.#parts.map(kept).filter((part) => part.length > 0);
  }
}

function bytesOf({ result, progress }: Completion): number {
  return bytesIn(result) + bytesIn(progress);
}
