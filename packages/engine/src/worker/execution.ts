import type { Job } from "@andon/contract";
import { failPoint } from "../fail-points.ts";
import { Snooze } from "../lifecycle/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Claim, Tx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { type AbortCause, Commit, type Handler, type HandlerContext, JobAborted } from "./handler.ts";

/** How an execution ended. `aborted`: the handler did not finish its work, whatever it returned. */
export type Outcome =
  | { kind: "done"; result: unknown; writes: ((tx: Tx) => Promise<void> | void) | null }
  | { kind: "threw"; error: unknown }
  | { kind: "snoozed"; ms: number }
  | { kind: "aborted"; cause: AbortCause };

export interface ExecutionPorts {
  readonly clock: Clock;
  checkpoint(
    claim: Claim,
    cursor: unknown,
    writes: ((tx: Tx) => Promise<void> | void) | undefined,
  ): Promise<void>;
  progress(claim: Claim, value: unknown): void;
}

/**
 * One handler at work on one claim. It ends when the handler has settled, or, after its signal was aborted, when the
 * queue's grace for that has passed: only then is its place free, so that two handlers never work on one job here.
 */
export class Execution {
  readonly claim: Claim;
  readonly #queue: QueueDefinition;
  readonly #ports: ExecutionPorts;
  readonly #abort = new AbortController();
  #cause: AbortCause | undefined;
  #stopTimeout: () => void = () => {};
  #stopGrace: () => void = () => {};
  #giveUp: (outcome: Outcome) => void = () => {};

  constructor(claim: Claim, queue: QueueDefinition, ports: ExecutionPorts) {
    this.claim = claim;
    this.#queue = queue;
    this.#ports = ports;
  }

  /** Never rejects. */
  async run(handler: Handler<never>): Promise<Outcome> {
    const gaveUp = new Promise<Outcome>((resolve) => {
      this.#giveUp = resolve;
    });
    this.#armTimeout();
    const outcome = await Promise.race([this.#handle(handler), gaveUp]);
    this.#stopTimeout();
    this.#stopGrace();
    return outcome;
  }

  abort(cause: AbortCause): void {
    if (this.#cause) return;
    this.#cause = cause;
    this.#stopTimeout();
    this.#stopGrace = this.#ports.clock.after(this.#queue.rules.settleGrace, () =>
      this.#giveUp({ kind: "aborted", cause }),
    );
    this.#abort.abort(new JobAborted(cause));
  }

  async #handle(handler: Handler<never>): Promise<Outcome> {
    try {
      failPoint("handler", "begin");
      const returned = await handler(this.claim.job as Job<never>, this.#context());
      failPoint("handler", "before-commit");
      // A handler that still finished while its worker shut down has done its work; the other causes take that away.
      if (this.#cause && this.#cause !== "shutdown") return { kind: "aborted", cause: this.#cause };
      if (returned instanceof Commit)
        return { kind: "done", result: returned.result, writes: returned.writes };
      return { kind: "done", result: returned, writes: null };
    } catch (error) {
      if (this.#cause) return { kind: "aborted", cause: this.#cause };
      return error instanceof Snooze ? { kind: "snoozed", ms: error.ms } : { kind: "threw", error };
    }
  }

  #context(): HandlerContext {
    return {
      signal: this.#abort.signal,
      attempt: this.claim.job.attempts + 1,
      progress: (value) => {
        if (this.#queue.rules.timeoutFrom === "progress") this.#armTimeout();
        if (value !== undefined) this.#ports.progress(this.claim, value);
      },
      checkpoint: async (cursor, writes) => {
        await this.#ports.checkpoint(this.claim, cursor, writes);
        if (this.#queue.rules.timeoutFrom === "progress") this.#armTimeout();
      },
    };
  }

  #armTimeout(): void {
    const { timeout } = this.#queue.rules;
    this.#stopTimeout();
    if (timeout > 0 && !this.#cause)
      this.#stopTimeout = this.#ports.clock.after(timeout, () => this.abort("timeout"));
  }
}
