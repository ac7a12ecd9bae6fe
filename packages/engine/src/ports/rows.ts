import type {
  Arrival,
  AttemptOutcome,
  Job,
  JobError,
  JobStage,
  JobState,
  Lane,
  Localized,
  QueueState,
} from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { StoredAbortWish } from "./bulk-rows.ts";

/** A job to be stored. `payload` is JSON text. */
export interface NewJob {
  id: string;
  name: string;
  tenant: string;
  organization: string | null;
  /** The tenant whose share of the queue it counts in, if tenants share fairly; else null. */
  share: string | null;
  lanes: readonly LaneId[];
  priority: number;
  payload: string;
  runAt: number | null;
  idempotencyKey: string | null;
  traceId: string | null;
  /** The names of its stages in their order; null if its queue has none. */
  stages: readonly string[] | null;
}

/** The result of `enqueue` for one job. */
export interface Placed {
  id: string;
  ticket: string;
  /** False if the idempotency key was known: `id` is then the job that already has it. */
  isNew: boolean;
  /** Place in the lane of its first key; null without keys or while scheduled. */
  seq: number | null;
}

/** A job as the verbs see it: `pos` is the store's own number for it and the order of jobs without keys. */
export interface JobRow extends Job {
  pos: number;
  fence: number;
  stalled: number;
  /** When its present stage was first claimed, and that stage's time at work in claims that have ended. */
  stageStartedAt: number | null;
  stageElapsed: number;
  arrivals: Readonly<Record<string, Arrival>>;
}

/** A job taken to run; every later write must still match its fence. */
export interface Claim {
  pos: number;
  fence: number;
  job: Job;
  stalled: number;
  /** It was claimed as the probe of a degraded queue. */
  isProbe: boolean;
  /** It was claimed in a wave of a ramped resume. */
  inWave?: boolean;
  stageStartedAt: number | null;
  stageElapsed: number;
  /** The external events that have arrived for the job, by event. */
  arrivals: Readonly<Record<string, Arrival>>;
  /** The last progress that its handler reported, as JSON; written when the claim ends. Null: none. */
  progress: string | null;
  /**
   * The row of a job with stages as the store read it, without the handler's changes to `job`: the store makes the
   * claim of the next stage from it.
   */
  readonly stored: unknown;
}

export interface Completion {
  pos: number;
  fence: number;
  lanes: readonly LaneId[];
  /** Its place in the lane of its first key, as claimed: the place that it leaves. */
  seq: number | null;
  /** When its claim was written. */
  startedAt: number;
  result: string | null;
  /**
   * The last progress that its handler reported; null if it reported none: then the progress of an earlier attempt
   * stays.
   */
  progress: string | null;
  /** The next stage, unless its stage is the last: the job continues there instead of being done. */
  advance?: Advance | undefined;
}

/** The next stage of a job, and the history of the one that ends. */
export interface Advance {
  readonly stage: string;
  /** JSON of the outputs of all completed stages, by name, including this one. */
  readonly outputs: string;
  /** The index of the ending stage in the job's list. */
  readonly number: number;
  readonly name: string;
  readonly attempts: number;
  /** When it was first claimed, and its time at work in earlier claims. */
  readonly firstStartedAt: number;
  readonly elapsedBefore: number;
  /** The job's priority, which orders it among the jobs of its next stage. */
  readonly priority: number;
  /** `stored` of the claim that ends. */
  readonly stored: unknown;
}

/** A stage of a job that has ended. */
export interface EndedStage extends JobStage {
  pos: number;
  number: number;
  fence: number;
}

/** One request of a worker: finish these jobs and claim as many as there are free places, in one transaction. */
export interface FinishAndClaimRequest {
  queue: string;
  worker: string;
  done: readonly Completion[];
  want: number;
  /** Most jobs of this queue that may run at once over the fleet; null: no limit. */
  limit: number | null;
  /** Nothing is claimed while a job of the queue waits out its back-off. */
  serial: boolean;
  /**
   * At most `max` claims in any stretch of `duration` milliseconds, over the fleet; null: no limit. A claim that is
   * stamped more than `lead` ahead of the clock was made before the clock was set back, and counts as made now.
   */
  rate: { max: number; duration: number; lead: number } | null;
  /** The next place goes to the share that runs the fewest jobs, at most `most` each; null: in the order of the line. */
  sharing: { most: number | null } | null;
  /**
   * Most jobs of each stage that may run at once over the fleet, by its name; a stage that is not named here takes one. Null:
   * stages have no limits.
   */
  stageLimits?: Readonly<Record<string, number>> | null;
  /** Jobs with stages go back to their old places, so the line is always read from its front. */
  hasStages?: boolean;
}

export interface FinishAndClaimResult {
  /** Completions whose claim was lost, by `pos`. */
  refused: number[];
  /** Completions whose lane another transaction has locked, by `pos`: they were not written, and are sent again. */
  deferred: number[];
  claims: Claim[];
  /** `ramping`: the queue is resumed in waves, and its jobs are claimed by `claimInLine`. */
  queueState: QueueState | "ramping";
  /** When the rate allows the next start, if the rate held a claim back. */
  lookAgainAt: number | null;
  /** An error during the request: there may be claims that this answer does not contain. */
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
  /** When its last worker left; null if it never had one. Meaningless while it has a worker. */
  readonly unworkedAt: number | null;
  /** Set while it is resumed in waves; its state is then `open`. */
  ramp: RampRow | null;
}

export interface RampRow {
  /** How many jobs each wave starts. */
  readonly waves: readonly number[];
  /** The present wave, from 1. */
  readonly wave: number;
  /** The positions of the jobs that it has started. */
  readonly jobs: readonly number[];
}

/** The members of a job that it needs to enter the line. */
export type LineJob = Pick<JobRow, "id" | "pos" | "queue" | "tenant" | "state" | "keys" | "seq">;

/** A lane as the verbs see it; `id` is its text in the store. */
export interface LaneRow extends Lane {
  id: LaneId;
}

/** What a timer waits for: the time of a later job, the end of a back-off, or the expiry of a park. */
export type TimerKind = "later" | "backoff" | "park";

/** A job whose timer is due; `awaits` is the event of a parked job. */
export interface DueJob extends LineJob, DuePlace {
  kind: TimerKind;
  awaits: string | null;
}

/** The place of a job that waits for its time among those of its queue: by its time, then by its position. */
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
  error?: JobError | null;
  resolution?: { actor: string; reason: string | null; at: number } | null;
  stages?: string;
  stage?: string;
  outputs?: string;
  cursor?: null;
  stageStartedAt?: number | null;
  stageElapsed?: number;
  cancelActor?: string | null;
  cancelReason?: string | null;
  awaits?: string | null;
  arrivals?: string;
}

/** A running job as the sweep and the operator see it. */
export interface RunningRow {
  pos: number;
  id: string;
  queue: string;
  worker: string;
  fence: number;
  startedAt: number;
  /** An operator's request to cancel it, which its worker carries out. */
  cancel: CancelWish | null;
  /** The request to abort it at its next boundary; only set by `takeRunning`. */
  abort: StoredAbortWish | null;
}

/** `now` aborts the handler's signal; at the `boundary` the stage, or a job without stages, runs to its end first. */
export type CancelTime = "now" | "boundary";

export interface CancelWish {
  actor: string;
  reason: string | null;
  at: CancelTime;
}

export interface NewAttempt {
  pos: number;
  fence: number;
  number: number;
  stage: string | null;
  outcome: AttemptOutcome;
  worker: string;
  startedAt: number;
  finishedAt: number;
  code: string | null;
  message: string | null;
  stack: string | null;
  texts: Localized | null;
}

export type JobReference = { id: string } | { pos: number } | { ticket: string; queue?: string };
