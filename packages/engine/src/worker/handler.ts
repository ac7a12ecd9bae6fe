import type { Job } from "@andon/contract";
import type { Tx } from "../ports/store.ts";

/** What a handler gets beside its job. */
export interface HandlerContext {
  /** Aborted on timeout, cancel, shutdown and a lost claim. A handler that ignores it cannot keep its result. */
  readonly signal: AbortSignal;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** The number of this claim: higher than that of any earlier claim of the job. For names that no other claim may share. */
  readonly fence: number;
  /** Tells how far the job is: shown to people, and the start of a new timeout where the queue counts from progress. */
  progress(value?: unknown): void;
  /** Saves how far the job has come, in one transaction with `writes`; after a crash `job.cursor` is where it goes on. */
  checkpoint(cursor: unknown, writes?: (tx: Tx) => Promise<void> | void): Promise<void>;
}

export type Handler<Payload = unknown> = (job: Job<Payload>, context: HandlerContext) => unknown;

/** What a handler returns when its own writes must commit together with the completion of its job. */
export class Commit {
  readonly writes: (tx: Tx) => Promise<void> | void;
  readonly result: unknown;
  constructor(writes: (tx: Tx) => Promise<void> | void, result?: unknown) {
    this.writes = writes;
    this.result = result;
  }
}

/** `return commit(async (tx) => …)`: either all of it happens and the job is done, or none of it. */
export function commit(writes: (tx: Tx) => Promise<void> | void, result?: unknown): Commit {
  return new Commit(writes, result);
}

export type AbortCause = "timeout" | "cancel" | "shutdown" | "lost";

/** The reason of an aborted signal. */
export class JobAborted extends Error {
  override readonly name = "JobAborted";
  override readonly cause: AbortCause;
  constructor(cause: AbortCause) {
    super(`the job was aborted: ${cause}`);
    this.cause = cause;
  }
}
