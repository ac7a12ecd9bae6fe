import type { Job } from "@andon/contract";
import type { Handler, HandlerContext } from "@andon/engine";
import { eventually } from "./eventually.ts";

/** A running handler call that ends when the test says so. */
export interface HandlerCall {
  readonly job: Job;
  readonly context: HandlerContext;
  succeed(result?: unknown): void;
  fail(error: unknown): void;
}

/** A handler that the test controls: every call stays open until the test lets it succeed or fail. */
export class ManualHandler {
  /** Payloads in the order in which their handlers started. */
  readonly started: unknown[] = [];
  readonly #calls: HandlerCall[] = [];
  #letGo = false;

  readonly handler: Handler = (job, context) => {
    this.started.push(job.payload);
    if (this.#letGo) return;
    return new Promise((resolve, reject) => {
      this.#calls.push({ job, context, succeed: resolve, fail: reject });
    });
  };

  /** The next call that has started: for this job, or for any. */
  take(jobId?: string): Promise<HandlerCall> {
    return eventually(`a handler starts${jobId ? ` for ${jobId}` : ""}`, () => {
      const index = this.#calls.findIndex((call) => jobId === undefined || call.job.id === jobId);
      return index < 0 ? undefined : this.#calls.splice(index, 1)[0];
    });
  }

  /** Any open call, if there is one. */
  takeOpen(): HandlerCall | undefined {
    return this.#calls.shift();
  }

  async takeMany(count: number): Promise<HandlerCall[]> {
    const calls: HandlerCall[] = [];
    while (calls.length < count) calls.push(await this.take());
    return calls;
  }

  /** From now on every call succeeds at once, including the open ones. */
  letGo(): void {
    this.#letGo = true;
    for (const call of this.#calls.splice(0)) call.succeed();
  }
}
