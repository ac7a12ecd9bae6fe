import type { Arrival, Job } from "@andon/contract";
import type { ParkOptions } from "../../lifecycle/thrown.ts";

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
  /** Ends this run, by throwing, until the event has come from outside. */
  park(event: string, options?: ParkOptions): never;
  /** What has come for an event that this job was parked for. */
  arrival(event: string): Arrival | undefined;
  /** All that has come for this job, by event. */
  readonly arrivals: Readonly<Record<string, Arrival>>;
}

/** The default export of a module that is worked with `isolate`. Its result must be JSON. */
export type IsolatedHandler<Payload = unknown> = (job: Job<Payload>, context: IsolatedContext) => unknown;
