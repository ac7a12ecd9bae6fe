import type { Job } from "@andon/contract";
import type { FlagWish } from "../bulk/abort-flags.ts";
import { BULK, type BulkPort } from "../bulk/port.ts";
import { failPoint } from "../fail-points.ts";
import { jsonText } from "../json-text.ts";
import { Park, type ParkOptions, parkedFor, snoozedFor } from "../lifecycle/thrown.ts";
import type { Clock } from "../ports/clock.ts";
import type { Claim, Store, Tx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { ClaimedBulk } from "./claimed-bulk.ts";
import { type AbortCause, Commit, type Handler, type HandlerContext, JobAborted } from "./handler.ts";
import type { TimersAfterTurn } from "./timers-after-turn.ts";

/** How an execution ended. `aborted`: the handler did not finish its work, whatever it returned. */
export type Outcome =
  | { kind: "done"; result: unknown; writes: ((tx: Tx) => Promise<void> | void) | null }
  | { kind: "threw"; error: unknown }
  | { kind: "snoozed"; ms: number }
  | { kind: "parked"; event: string; options: ParkOptions }
  /** `returned`: the handler returned all the same. */
  | { kind: "aborted"; cause: AbortCause; returned?: { value: unknown } }
  /** A walk stopped at a chunk boundary for an abort request: in the store, or in a flag. */
  | { kind: "stopped"; flag: FlagWish | null };

export interface ExecutionPorts {
  readonly clock: Clock;
  readonly store: Store;
  checkpoint(
    claim: Claim,
    cursor: unknown,
    writes: ((tx: Tx) => Promise<void> | void) | undefined,
  ): Promise<void>;
  /** The claim has new progress. */
  progress(claim: Claim): void;
  readonly timers: TimersAfterTurn;
}

/**
 * One handler at work on one claim. It ends when the handler has settled, or, after its signal was aborted, when the
 * queue's grace for that has passed: its place becomes free only then, so that two handlers never work on one job in
 * this process. What few handlers use (signal, timers) is created on first use, since this runs for every job.
 */
export class Execution {
  readonly claim: Claim;
  readonly #queue: QueueDefinition;
  readonly #ports: ExecutionPorts;
  #ended: ((outcome: Outcome) => void) | undefined;
  #abort: AbortController | undefined;
  #cause: AbortCause | undefined;
  #stopTimeout: (() => void) | undefined;
  /** Since when its timeout counts, while it has no timer yet. */
  #untimedSince: number | undefined;
  #stopGrace: (() => void) | undefined;
  #bulk: ClaimedBulk | undefined;

  constructor(claim: Claim, queue: QueueDefinition, ports: ExecutionPorts) {
    this.claim = claim;
    this.#queue = queue;
    this.#ports = ports;
  }

  /** Calls `ended` once. */
  run(handler: Handler<never>, ended: (outcome: Outcome) => void): void {
    this.#ended = ended;
    // It was aborted while it waited for its turn.
    if (this.#cause) {
      this.#end({ kind: "aborted", cause: this.#cause });
      return;
    }
    try {
      failPoint("handler", "begin");
      const returned = handler(this.claim.job as Job<never>, new JobContext(this));
      if (isPromise(returned)) this.#await(returned);
      else this.#end(this.#returned(returned));
    } catch (error) {
      this.#end(this.#threw(error));
    }
  }

  /** On `abort`, a bulk job continues to the end of its chunk, and a roll-back of a cancelled job to its end. */
  abort(cause: AbortCause): void {
    if (this.#cause || (cause === "abort" && this.claim.job.cancelling)) return;
    if (cause === "abort" && this.#bulk) {
      this.#bulk.ask();
      return;
    }
    this.#cause = cause;
    this.#stopTimeout?.();
    const giveUp = () => this.#end({ kind: "aborted", cause });
    this.#stopGrace = this.#ports.clock.after(this.#queue.rules.settleGrace, giveUp);
    this.#abort?.abort(new JobAborted(cause));
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#cause) this.#abort.abort(new JobAborted(this.#cause));
    return this.#abort.signal;
  }

  /** The port of a bulk handler; only bulk handlers read it. */
  get bulk(): BulkPort {
    this.#bulk ??= new ClaimedBulk(this.#ports.store, this.claim, {
      countTime: (isOn) => (isOn ? this.#armTimeout() : this.#disarmTimeout()),
    });
    return this.#bulk;
  }

  progress(value: unknown): void {
    if (!this.#bulk && this.#queue.rules.timeoutFrom === "progress") this.#armTimeout();
    if (value === undefined) return;
    // It is written later, with that of other jobs, so a value that cannot be stored must throw now, in the handler.
    this.claim.progress = jsonText("progress", value);
    this.#ports.progress(this.claim);
  }

  async checkpoint(cursor: unknown, writes: ((tx: Tx) => Promise<void> | void) | undefined): Promise<void> {
    await this.#ports.checkpoint(this.claim, cursor, writes);
    if (this.#queue.rules.timeoutFrom === "progress") this.#armTimeout();
  }

  #await(returned: PromiseLike<unknown>): void {
    const { clock, timers } = this.#ports;
    if (this.#queue.rules.timeout > 0) {
      this.#untimedSince = clock.monotonic();
      timers.add(this);
    }
    returned.then(
      (value) => this.#end(this.#returned(value)),
      (error) => this.#end(this.#threw(error)),
    );
  }

  #end(outcome: Outcome): void {
    const ended = this.#ended;
    if (!ended) return;
    this.#ended = undefined;
    this.#stopTimeout?.();
    this.#stopGrace?.();
    ended(outcome);
  }

  #returned(returned: unknown): Outcome {
    failPoint("handler", "before-commit");
    // A handler that finishes while its worker shuts down has done its work; the other causes discard its result.
    if (this.#cause && this.#cause !== "shutdown")
      return { kind: "aborted", cause: this.#cause, returned: { value: returned } };
    try {
      if (returned instanceof Commit)
        return { kind: "done", result: returned.result, writes: returned.writes };
    } catch (error) {
      // A Proxy may throw when it is inspected.
      return { kind: "threw", error };
    }
    return { kind: "done", result: returned, writes: null };
  }

  #threw(error: unknown): Outcome {
    const stop = this.#bulk?.stopped;
    if (stop && (!this.#cause || this.#cause === "shutdown")) return { kind: "stopped", flag: stop.flag };
    if (this.#cause) return { kind: "aborted", cause: this.#cause };
    const ms = snoozedFor(error);
    if (ms !== undefined) return { kind: "snoozed", ms };
    const park = parkedFor(error);
    return park ? { kind: "parked", ...park } : { kind: "threw", error };
  }

  armIfUnsettled(): void {
    if (this.#untimedSince === undefined || !this.#ended) return;
    this.#armTimeout(this.#ports.clock.monotonic() - this.#untimedSince);
  }

  #armTimeout(passed = 0): void {
    const { timeout } = this.#queue.rules;
    this.#disarmTimeout();
    if (timeout === 0 || this.#cause || !this.#ended) return;
    if (passed >= timeout) this.abort("timeout");
    else
      this.#stopTimeout = this.#ports.clock.after(Math.ceil(timeout - passed), () => this.abort("timeout"));
  }

  #disarmTimeout(): void {
    this.#untimedSince = undefined;
    this.#stopTimeout?.();
  }
}

/** Handlers may destructure it (`({ signal, progress })`), so its members are bound when they are read. */
class JobContext implements HandlerContext {
  readonly #execution: Execution;

  constructor(execution: Execution) {
    this.#execution = execution;
  }

  get signal(): AbortSignal {
    return this.#execution.signal;
  }

  get attempt(): number {
    return this.#execution.claim.job.attempts + 1;
  }

  get fence(): number {
    return this.#execution.claim.fence;
  }

  get progress(): HandlerContext["progress"] {
    return (value) => this.#execution.progress(value);
  }

  get [BULK](): BulkPort {
    return this.#execution.bulk;
  }

  get checkpoint(): HandlerContext["checkpoint"] {
    return (cursor, writes) => this.#execution.checkpoint(cursor, writes);
  }

  get park(): HandlerContext["park"] {
    return (event, options) => {
      throw new Park(event, options);
    };
  }

  get arrivals(): HandlerContext["arrivals"] {
    return this.#execution.claim.arrivals;
  }

  get arrival(): HandlerContext["arrival"] {
    const { arrivals } = this;
    return (event) => (Object.hasOwn(arrivals, event) ? arrivals[event] : undefined);
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}
