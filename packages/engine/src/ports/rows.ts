import type { AttemptOutcome, Job, JobState, QueueState } from "@andon/contract";

/** A job to be stored. Payload and the like are JSON text by now. */
export interface NewJob {
  id: string;
  name: string;
  tenant: string;
  /** Whose part of the queue it counts in where tenants share fairly; null elsewhere. */
  share: string | null;
  keys: readonly string[];
  priority: number;
  payload: string;
  runAt: number | null;
  idempotencyKey: string | null;
  traceId: string | null;
}

/** What enqueue tells its caller. */
export interface Placed {
  id: string;
  ticket: string;
  /** False where the idempotency key was known: `id` is then the job that already has it. */
  isNew: boolean;
  /** Place in the lane of its first key; null without keys or while scheduled. */
  seq: number | null;
}

/** A job as the verbs see it: `pos` is the store's own number for it and the order of jobs without keys. */
export interface JobRow extends Job {
  pos: number;
  fence: number;
  stalled: number;
}

/** A job taken to run; every later write must still match its fence. */
export interface Claim {
  pos: number;
  fence: number;
  job: Job;
  stalled: number;
  /** It was claimed to test a sick destination. */
  isProbe: boolean;
  /** As JSON, what its handler told last: written with whatever ends the claim. Null: it has told none. */
  progress: string | null;
}

export interface Completion {
  pos: number;
  fence: number;
  keys: readonly string[];
  /** Place in the lane of its first key, as it was claimed: where to leave it from. */
  seq: number | null;
  /** When its claim was written. */
  startedAt: number;
  result: string | null;
  /** What its handler told last; null where it told none, and what an earlier attempt told stays. */
  progress: string | null;
}

/** One turn of a worker: finish these jobs and claim as many as there are free places, in one transaction. */
export interface TurnRequest {
  queue: string;
  worker: string;
  done: readonly Completion[];
  want: number;
  /** Most jobs of this queue that may run at once over the fleet; null: no limit. */
  limit: number | null;
  /** Nothing is claimed while a job of the queue waits out its back-off. */
  serial: boolean;
  /**
   * At most `max` claims in any stretch of `duration` milliseconds, over the fleet; null: as many as come. A claim that is
   * stamped further ahead of the clock than `lead` was made before the clock was set back, and counts as made now.
   */
  rate: { max: number; duration: number; lead: number } | null;
  /** The next place goes to the share that runs the fewest jobs, at most `most` each; null: in the order of the line. */
  sharing: { most: number | null } | null;
}

export interface TurnResult {
  /** Completions whose claim no longer stood, by `pos`. */
  refused: number[];
  /** Completions whose lane somebody else has locked, by `pos`: nothing was written, and they come again. */
  deferred: number[];
  claims: Claim[];
  queueState: QueueState;
  /** When the rate allows the next start, where it is what held a claim back. */
  lookAgainAt: number | null;
  /** What went wrong on the way: claims may stand that this answer does not name. */
  doubt: Error | null;
}

export interface QueueRow {
  name: string;
  state: QueueState;
  epoch: number;
  stoppedAt: number | null;
  stopReason: string | null;
  stopActor: string | null;
  stopJobId: string | null;
  stopId: string | null;
  probeJobId: string | null;
  degradedAt: number | null;
}

/** What a job that goes in line must tell of itself. */
export type LineJob = Pick<JobRow, "id" | "pos" | "queue" | "state" | "keys" | "seq">;

/** Where a job that waits for its time stands among those of its queue: by its time, then by its position. */
export interface DuePlace {
  dueAt: number;
  pos: number;
}

/** What a verb changes in a job's row. */
export interface JobPatch {
  /** `open` while it is in line or runs. */
  state?: "open" | JobState;
  ticket?: "draw";
  attempts?: number;
  stalled?: number;
  fence?: number;
  runAt?: number | null;
  startedAt?: number | null;
  finishedAt?: number | null;
  worker?: string | null;
  result?: string | null;
  progress?: string;
  error?: { code: string; message: string; fingerprint: string } | null;
  resolution?: { actor: string; reason: string | null; at: number } | null;
}

/** A running job as the sweep and the operator see it. */
export interface RunningRow {
  pos: number;
  id: string;
  queue: string;
  worker: string;
  fence: number;
  startedAt: number;
  /** An operator's wish to cancel it, which its worker carries out. */
  cancel: { actor: string; reason: string | null } | null;
}

export interface NewAttempt {
  pos: number;
  fence: number;
  number: number;
  outcome: AttemptOutcome;
  worker: string;
  startedAt: number;
  finishedAt: number;
  code: string | null;
  message: string | null;
  stack: string | null;
}

export type JobReference = { id: string } | { pos: number } | { ticket: string; queue?: string };
