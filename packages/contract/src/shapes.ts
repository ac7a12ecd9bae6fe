import type { AttemptOutcome, JobCounts, JobState, QueueState } from "./job-states.ts";

/** Who decides and why. Every operator action carries one and leaves an audit row. */
export interface Decision {
  actor: string;
  reason?: string | undefined;
  /** Only jobs of this tenant are found. Default: everybody's. */
  tenant?: string | null | undefined;
}

/** A job as its reader sees it. Times are milliseconds since 1970. */
export interface Job<Payload = unknown> {
  id: string;
  /** Digits, unique over all queues, drawn anew each time the job is queued by hand again. */
  ticket: string;
  queue: string;
  name: string;
  tenant: string;
  state: JobState;
  keys: string[];
  /** Place in the lane of its first key; null without keys, or before a scheduled job has joined its lanes. */
  seq: number | null;
  priority: number;
  payload: Payload;
  /** Failures charged since it was queued, or since it was last queued by hand again. */
  attempts: number;
  cursor: unknown;
  progress: unknown;
  result: unknown;
  runAt: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  worker: string | null;
  error: JobError | null;
  resolution: { actor: string; reason: string | null; at: number } | null;
  traceId: string | null;
}

export interface JobError {
  code: string;
  message: string;
  fingerprint: string;
}

/** One try of a job that did not end in success. A success is the job row itself. */
export interface Attempt {
  number: number;
  outcome: AttemptOutcome;
  worker: string;
  startedAt: number;
  finishedAt: number;
  code: string | null;
  message: string | null;
  stack: string | null;
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
  queue: string;
  state: QueueState;
  epoch: number;
  counts: JobCounts;
  stoppedAt: number | null;
  stopReason: string | null;
  stopActor: string | null;
  stopJobId: string | null;
  /** The job that tests a sick destination, while the queue is degraded. */
  probeJobId: string | null;
  degradedAt: number | null;
}

export interface Lane {
  queue: string;
  key: string;
  depth: number;
  held: {
    at: number;
    kind: "failure" | "hand";
    by: string;
    reason: string | null;
    jobId: string | null;
  } | null;
}

/** Proof of a stop (G1): what was in flight, and the last claim that committed before it. */
export interface StopCertificate {
  id: string;
  queue: string;
  /** Claims of this epoch ended with the stop; the queue goes on in a later one. */
  epoch: number;
  at: number;
  kind: "failure" | "hand";
  actor: string;
  reason: string;
  jobId: string | null;
  error: { code: string; message: string } | null;
  inFlight: { jobId: string; worker: string; startedAt: number }[];
  /** Last turn of the claim ledger before the stop, and the job it started last. */
  lastTurn: number;
  lastStarted: { jobId: string; worker: string; at: number } | null;
  resumedAt: number | null;
  resumedBy: string | null;
}

/** The answer to "why is it not running?" (G2). */
export interface Why {
  jobId: string;
  state: JobState;
  /** The rule that decides, such as `queue.stopped` or `lane.behind`. */
  rule: string;
  en: string;
  ko: string;
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
