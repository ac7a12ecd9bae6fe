import type { Arrival, Job } from "@andon/contract";
import type { ParkOptions } from "../../lifecycle/thrown.ts";

/**
 * What an isolated handler gets beside its job: the handler's context without the members that cannot cross to another
 * thread.
 */
export interface IsolatedContext {
  /**
   * Aborted on timeout, cancel, abort, shutdown and a lost claim. A handler that ignores it is ended with its thread or
   * process.
   */
  readonly signal: AbortSignal;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** Reports progress: shown to people, and the start of a new timeout if the queue counts timeouts from progress. */
  progress(value?: unknown): void;
  /** Saves the cursor. After a crash the job continues with it as `job.cursor`. */
  checkpoint(cursor: unknown): Promise<void>;
  /** Ends this run, by throwing, until the event has arrived. */
  park(event: string, options?: ParkOptions): never;
  /** What arrived for an event that this job was parked for; undefined if nothing has. */
  arrival(event: string): Arrival | undefined;
  /** Everything that arrived for this job, by event. */
  readonly arrivals: Readonly<Record<string, Arrival>>;
}

/** The default export of a module that `isolate` runs. Its result must be JSON. */
export type IsolatedHandler<Payload = unknown> = (job: Job<Payload>, context: IsolatedContext) => unknown;
