import type { Job } from "@andon/contract";

/** What an isolated handler gets beside its job: the handler's context without what cannot cross to another thread. */
export interface IsolatedContext {
  /** Aborted on timeout, cancel, shutdown and a lost claim. Whoever ignores it is ended with its thread or process. */
  readonly signal: AbortSignal;
  /** Which attempt this is, from 1. */
  readonly attempt: number;
  /** Tells how far the job is: shown to people, and the start of a new timeout where the queue counts from progress. */
  progress(value?: unknown): void;
  /** Saves how far the job has come; after a crash `job.cursor` is where it goes on. */
  checkpoint(cursor: unknown): Promise<void>;
}

/** The default export of a module that is worked with `isolate`. Its result must be JSON. */
export type IsolatedHandler<Payload = unknown> = (job: Job<Payload>, context: IsolatedContext) => unknown;
