import { bytesIn, firstOf } from "../batch.ts";
import type { Completion } from "../ports/store.ts";

/** Completions of one request. `isPart`: a part of a request that the store refused; nothing is claimed with it. */
export interface Batch {
  readonly done: Completion[];
  readonly isPart: boolean;
}

/**
 * Completions that wait to be written, in requests of limited jobs and bytes. A request that the store refuses is sent
 * again in halves, until the completion at fault is alone, so that the others are written.
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

  /** Puts back completions that were not written, or may not have been: they come first next time. */
  putBack(done: readonly Completion[]): void {
    this.#waiting.unshift(...done);
  }

  /** Splits a batch that the store refused. Returns the completion at fault if it was alone. */
  refused({ done, isPart }: Batch): Completion | undefined {
    if (isPart && done.length === 1) return done[0];
    const half = Math.ceil(done.length / 2);
    for (const part of [done.slice(half), done.slice(0, half)])
      if (part.length > 0) this.#parts.unshift(part);
    return undefined;
  }

  /** Removes completions that are stored, or whose claim is superseded. */
  drop(isGone: (completion: Completion) => boolean): void {
    const kept = (done: Completion[]) => done.filter((completion) => !isGone(completion));
    this.#waiting = kept(this.#waiting);
    this.#parts = this.#parts.map(kept).filter((part) => part.length > 0);
  }
}

function bytesOf({ result, progress }: Completion): number {
  return bytesIn(result) + bytesIn(progress);
}
