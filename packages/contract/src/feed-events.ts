import type { AbortReceipt, Throttle } from "./bulk.ts";
import type { JobState } from "./job-states.ts";
import type { MissedPolicy } from "./schedules.ts";
import type { StopCertificate } from "./shapes.ts";

/** What every reader gets of a stop. A reader with a tenant gets the other members only where they are about its own jobs. */
type ToldOfStop = "id" | "queue" | "epoch" | "at" | "kind" | "actor" | "reason";
type Stopped = Pick<StopCertificate, ToldOfStop> & Partial<Omit<StopCertificate, ToldOfStop>>;
type Failed = { code: string; message: string; fingerprint: string };
type Decided = { actor: string; reason: string | null };
type Nothing = Record<never, never>;

/** The data of each type of event. Times are milliseconds since 1970. */
export interface EventData {
  "queue.stopped": Stopped;
  "queue.resumed": { actor: string; stop: string | null; epoch: number; waves?: readonly number[] };
  "queue.ramped": { wave: number | null; of: number };
  "queue.degraded": { cause: string };
  "queue.recovered": Nothing;
  "queue.probe-changed": Nothing;
  "lane.held": { key: string; kind: "failure" | "hand"; reason: string | null; by?: string };
  "lane.released": { key: string; by?: string };
  "lane.rest-cancelled": { key: string; cancelled: number };
  "job.retrying": Failed & { attempt: number; of: number; due: number };
  "job.failed": Failed & { attempts: number; policy: string };
  "job.skipped": Failed & { attempts: number; policy: string };
  "job.retried": { actor: string };
  "job.resolved": Decided;
  "job.cancel-requested": Decided;
  "job.cancelled": Decided;
  "job.abort-requested": Decided & { stopsWithinMs: number };
  "job.aborted": Decided & { receipt: AbortReceipt };
  "job.resumed": { actor: string; state: JobState };
  "job.throttle-changed": { actor: string; throttle: Throttle };
  "job.run-now": { actor: string };
  "job.parked": { event: string; until: number | null };
  "job.arrived": { event: string };
  "job.stage-rolled-back": { stage: string };
  "job.roll-back-failed": Failed & { stage: string; attempts: number };
  "job.lost": { worker: string; stalled: number };
  "job.handed-back": { worker: string; stalled: number };
  "job.progress": { progress: unknown };
  "schedule.fired": { schedule: string; dueAt: number };
  "schedule.missed": {
    schedule: string;
    policy: MissedPolicy;
    count: number;
    first: number;
    last: number;
    more: boolean;
  };
  "jobs.done": { done: number };
}

export type EventType = keyof EventData;

/**
 * A type that a later version writes, which may be any text. For the compiler it begins with `later:`, as no name of an event
 * does, so that a mistyped name does not compile. To compare with a name that is not listed yet: `(event.type as string)`.
 */
export type LaterEventType = `later:${string}`;

interface Event<Type, Data> {
  /** Grows in commit order, so that a reader can continue after the last one it saw. */
  id: number;
  type: Type;
  at: number;
  queue: string | null;
  jobId: string | null;
  /** Later versions may add members of any type. */
  data: Data & Record<string, unknown>;
}

/** One row of the feed. Checking its `type` gives the type of its `data`. */
export type FeedEvent =
  | { [Type in EventType]: Event<Type, EventData[Type]> }[EventType]
  | Event<LaterEventType, Nothing>;
