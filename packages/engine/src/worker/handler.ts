import type { Arrival, Job } from "@andon/contract";
import type { ParkOptions } from "../lifecycle/thrown.ts";
import type { Tx } from "../ports/store.ts";

/** What a handler gets beside its job. */
export interface HandlerContext {
  /**
   * Aborted on timeout, cancel, abort, shutdown and a lost claim; in a bulk job an abort waits for the end of the chunk.
   * The result of a handler that ignores the signal is lost.
   */
  readonly signal: AbortSignal;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /**
   * The number of this claim, higher than that of any earlier claim of the job. Use it in names that no other claim may
   * share.
   */
  readonly fence: number;
  /** Reports progress, which is shown to people; with `timeoutFrom: "progress"` the timeout starts again. */
  progress(value?: unknown): void;
  /** Saves the cursor in one transaction with `writes`. After a crash the job continues with it as `job.cursor`. */
  checkpoint(cursor: unknown, writes?: (tx: Tx) => Promise<void> | void): Promise<void>;
  /**
   * Ends this run, by throwing, until `andon.arrive(event, …)` reports the event; then the handler is called again.
   * Meanwhile the job takes no place in the worker. `const approval = ctx.arrival(event) ?? ctx.park(event, { until:
   * "24h" })`.
   */
  park(event: string, options?: ParkOptions): never;
  /** What arrived for an event that this job was parked for; undefined where nothing has. */
  arrival(event: string): Arrival | undefined;
  /** Everything that arrived for this job, by event. */
  readonly arrivals: Readonly<Record<string, Arrival>>;
}

export type Handler<Payload = unknown> = (job: Job<Payload>, context: HandlerContext) => unknown;

/** The handler of one stage, and its roll-back for a cancelled job that has completed the stage. */
export interface StageHandler<Payload = unknown> {
  /** Does the work of the stage. What it returns becomes the stage's output. */
  readonly run: Handler<Payload>;
  /**
   * Undoes a completed stage when its job is cancelled. It gets the job with `outputs`, and may be called again after a
   * crash or a failure.
   */
  readonly rollBack?: Handler<Payload> | undefined;
}

/** A handler per stage, by the stage's name. */
export type StageHandlers<Payload = unknown> = Readonly<
  Record<string, Handler<Payload> | StageHandler<Payload>>
>;

/** What a handler returns when its own writes must commit together with the completion of its job. */
export class Commit {
  readonly writes: (tx: Tx) => Promise<void> | void;
  readonly result: unknown;
  constructor(writes: (tx: Tx) => Promise<void> | void, result?: unknown) {
    this.writes = writes;
    this.result = result;
  }
}

/** `return commit(async (tx) => …)`: the writes commit together with the completion of the job, or neither does. */
export function commit(writes: (tx: Tx) => Promise<void> | void, result?: unknown): Commit {
  return new Commit(writes, result);
}

/** `abort`: a job that is not a bulk job is aborted, and can be resumed later. */
export type AbortCause = "timeout" | "cancel" | "abort" | "shutdown" | "lost";

/** The `reason` of an aborted signal. Its `cause`: `timeout`, `cancel`, `abort`, `shutdown` or `lost`. */
export class JobAborted extends Error {
  override readonly name = "JobAborted";
  override readonly cause: AbortCause;
  constructor(cause: AbortCause) {
    super(`the job was aborted: ${cause}`);
    this.cause = cause;
  }
}
