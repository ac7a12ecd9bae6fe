import type { Localized } from "./errors.ts";
import type { AttemptOutcome, JobCounts, JobState, QueueState, StageStatus } from "./job-states.ts";
import type { RampStatus } from "./ramp.ts";

/** The tenant and organisation that a call is limited to. An organisation belongs to a tenant; absent or null: no limit. */
export interface Scope {
  tenant?: string | null | undefined;
  organization?: string | null | undefined;
}

/** Who decides and why. Every operator action carries one and leaves an audit row. */
export interface Decision extends Scope {
  /** Who decides; text of at most 1,000 bytes of UTF-8. */
  actor: string;
  /** Why. Some decisions require it (REASON_REQUIRED). Default: none. */
  reason?: string | undefined;
  /** Only jobs of this tenant are found. Default: of all tenants. */
  tenant?: string | null | undefined;
  /** Only jobs of this organisation of the tenant are found. Default: of all organisations. */
  organization?: string | null | undefined;
  /**
   * Applies at once, whatever the undo window: it was held back already, or it is part of a decision over many jobs.
   * Default: false.
   */
  atOnce?: boolean | undefined;
}

/** A job as its reader sees it. Times are milliseconds since 1970. */
export interface Job<Payload = unknown> {
  /** UUID v7, the same for the whole life of the job. */
  id: string;
  /** Digits, unique over all queues; a new one each time the job is queued again by hand. */
  ticket: string;
  /** The queue it belongs to. */
  queue: string;
  /** What kind of job it is. */
  name: string;
  /** The tenant it belongs to. */
  tenant: string;
  /** The organisation of the tenant it belongs to; null: none. */
  organization: string | null;
  /** Its state, such as `ready`, `running` or `failed`. */
  state: JobState;
  /** The keys of its lanes; the first one is its own lane. */
  keys: string[];
  /** Its place in the lane of its first key; null without keys, and while the job is scheduled. */
  seq: number | null;
  /** Among ready jobs a higher number runs first. */
  priority: number;
  /** What it was added with. */
  payload: Payload;
  /** Failed attempts since it was queued, or since it was last queued again by hand. */
  attempts: number;
  /** The last saved checkpoint; null before the first. */
  cursor: unknown;
  /** The last reported progress. */
  progress: unknown;
  /** What the handler returned. */
  result: unknown;
  /** When it becomes due; null: at once. */
  runAt: number | null;
  /** When it was added. */
  createdAt: number;
  /** When its last attempt started. */
  startedAt: number | null;
  /** When it ended. */
  finishedAt: number | null;
  /** The worker that runs it, or that ran it last. */
  worker: string | null;
  /** Its last failure. */
  error: JobError | null;
  /** Who skipped, cancelled or aborted it, why and when. */
  resolution: { actor: string; reason: string | null; at: number } | null;
  /** The trace of the request that added it. */
  traceId: string | null;
  /** The stage it is in; null for a job without stages. */
  stage: string | null;
  /** All its stages in their order, as they were when it was added. */
  stages: string[];
  /** What its completed stages returned, by stage. The result of the last stage is the result of the job. */
  outputs: Record<string, unknown>;
  /** The event that a parked job waits for, and until when (null: for ever); null while it is not parked. */
  awaits: { event: string; until: number | null } | null;
  /** Who cancelled it, while its completed stages are rolled back. */
  cancelling: { actor: string; reason: string | null } | null;
}

/** A stage that a job has reached. */
export interface JobStage {
  name: string;
  status: StageStatus;
  /** Attempts that count: the failed ones, and the one that runs or succeeded. */
  attempts: number;
  /** Time at work over all attempts; waiting and parking do not count. */
  elapsedMs: number;
  startedAt: number | null;
  finishedAt: number | null;
}

/** An event from outside that arrived for a job. */
export interface Arrival {
  payload: unknown;
  at: number;
}

export interface JobError {
  code: string;
  message: string;
  fingerprint: string;
  /** The message in both languages, where it is one of Andon's; absent for a handler's own. */
  texts?: Localized | undefined;
}

/** One attempt of a job that did not succeed. A success is the job row itself. */
export interface Attempt {
  /** The stage of the attempt; null for a job without stages. */
  stage: string | null;
  number: number;
  outcome: AttemptOutcome;
  worker: string;
  startedAt: number;
  finishedAt: number;
  code: string | null;
  message: string | null;
  stack: string | null;
  /** The message in both languages, where it is one of Andon's. */
  texts?: Localized | undefined;
}

export interface AuditRow {
  id: string;
  actor: string;
  at: number;
  action: string;
  target: string;
  reason: string | null;
  before: unknown;
  after: unknown;
}

export interface QueueStatus {
  /** The name of the queue. */
  queue: string;
  /** `open`, `degraded` or `stopped`. */
  state: QueueState;
  /** Grows by one with every stop; each claim belongs to one epoch. */
  epoch: number;
  /** The number of jobs by state. */
  counts: JobCounts;
  /** When it stopped; null while it is not stopped. */
  stoppedAt: number | null;
  /** Why it stopped; null while it is not stopped. */
  stopReason: string | null;
  /** Who stopped it, `system` for a failed job; null while it is not stopped. */
  stopActor: string | null;
  /** The failed job that stopped it; null for a stop by hand. */
  stopJobId: string | null;
  /** The probe that tests the failing destination; null while the queue is not degraded. */
  probeJobId: string | null;
  /** Since when it has been degraded; null while it is not. */
  degradedAt: number | null;
  /** Progress of a resume in waves; null without one. */
  ramp: RampStatus | null;
}

export interface Lane {
  /** The queue of the lane. */
  queue: string;
  /** The tenant of the lane. Jobs of two tenants never share a lane. */
  tenant: string;
  /** The key of the lane. */
  key: string;
  /** The number of its unfinished jobs. */
  depth: number;
  /** Who or what holds it, since when and why; null while it is open. */
  held: {
    at: number;
    kind: "failure" | "hand";
    by: string;
    reason: string | null;
    jobId: string | null;
  } | null;
}

/** Proof of a stop: what was in flight, and the last claim that committed before it. */
export interface StopCertificate {
  /** The id of the stop. */
  id: string;
  /** The queue that stopped. */
  queue: string;
  /** The epoch that ended with the stop; the queue continues in a later one. */
  epoch: number;
  /** When it stopped. */
  at: number;
  /** `failure`: by a failed job; `hand`: by a person. */
  kind: "failure" | "hand";
  /** Who stopped it; `system` for a failed job. */
  actor: string;
  /** Why it stopped. */
  reason: string;
  /** The failed job; null for a stop by hand. */
  jobId: string | null;
  /** The failure of that job; null for a stop by hand. */
  error: { code: string; message: string; texts?: Localized | undefined } | null;
  /** The jobs that were running at the stop. */
  inFlight: { jobId: string; worker: string; startedAt: number }[];
  /** The number of the last entry of the claim log before the stop; 0 where it has none. */
  lastClaim: number;
  /** The job that was started last before the stop; null where none was. */
  lastStarted: { jobId: string; worker: string; at: number } | null;
  /** When the queue was resumed; null while it is stopped. */
  resumedAt: number | null;
  /** Who resumed it; null while it is stopped. */
  resumedBy: string | null;
}

/** The answer to "why is it not running?". */
export interface Why {
  /** The id of the job. */
  jobId: string;
  /** Its state. */
  state: JobState;
  /** The rule that decides, such as `queue.stopped` or `lane.behind`. */
  rule: string;
  /** The sentence in English. */
  en: string;
  /** The sentence in Korean. */
  ko: string;
  /** The values in the sentence. */
  facts: Record<string, unknown>;
}

export interface Page<T> {
  total: number;
  page: number;
  limit: number;
  items: T[];
  /** Present and true where counting stopped early. */
  more?: boolean;
}
