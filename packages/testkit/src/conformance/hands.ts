import type { Job } from "@andon/contract";
import type { Handler, HandlerContext } from "@andon/engine";
import { eventually } from "./eventually.ts";

/** A running handler call that ends when the test says so. */
export interface Piece {
  readonly job: Job;
  readonly context: HandlerContext;
  succeed(result?: unknown): void;
  fail(error: unknown): void;
}

/** A handler that the test controls: every call stays open until the test lets it succeed or fail. */
export class Hands {
  /** Payloads in the order in which their handlers started. */
  readonly started: unknown[] = [];
  readonly #pieces: Piece[] = [];
  #letGo = false;

  readonly handler: Handler = (job, context) => {
    this.started.push(job.payload);
    if (this.#letGo) return;
    return new Promise((resolve, reject) => {
      this.#pieces.push({ job, context, succeed: resolve, fail: reject });
    });
  };

  /** The next call that has started: for this job, or for any. */
  take(jobId?: string): Promise<Piece> {
    return eventually(`a handler starts${jobId ? ` for ${jobId}` : ""}`, () => {
      const index = this.#pieces.findIndex((piece) => jobId === undefined || piece.job.id === jobId);
      return index < 0 ? undefined : this.#pieces.splice(index, 1)[0];
    });
  }

  /** Any open call, if there is one. */
  takeOpen(): Piece | undefined {
    return this.#pieces.shift();
  }

  async takeMany(count: number): Promise<Piece[]> {
    const pieces: Piece[] = [];
    while (pieces.length < count) pieces.push(await this.take());
    return pieces;
  }

  /** From now on every call succeeds at once, including the open ones. */
  letGo(): void {
    this.#letGo = true;
    for (const piece of this.#pieces.splice(0)) piece.succeed();
  }
}
