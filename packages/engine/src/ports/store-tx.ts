import type {
  AttemptOutcome,
  EventData,
  EventType,
  JobCounts,
  JobState,
  Lane,
  Schedule,
  StopCertificate,
} from "@andon/contract";
import type { HistoryKind } from "./housekeeping.ts";
import type { EndedPlace, ListItem, OperationRow } from "./operation-rows.ts";
import type { NewAuditRow, PlanRow } from "./operator-rows.ts";
import type {
  Claim,
  Completion,
  DuePlace,
  JobPatch,
  JobReference,
  JobRow,
  LineJob,
  NewAttempt,
  NewJob,
  Placed,
  QueueRow,
  RunningRow,
} from "./rows.ts";
import type { Signal } from "./signal.ts";

/** What a caller's own statements run on. `$1` placeholders on both databases. */
export interface Tx {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** The steps that a verb composes inside its one transaction. Locks go queue → lanes by key → jobs. */
export interface StoreTx extends Tx {
  /** The time of this transaction: every stamp in it is the same. */
  now(): number;

  enqueue(queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]>;

  ensureQueue(name: string): Promise<void>;
  /** Sent when this transaction has committed, and only then. */
  signalOnCommit(signal: Signal): Promise<void>;

  /** `exclusive` shuts out claims, promotion of due jobs and other decisions on this queue until the commit. */
  lockQueue(name: string, mode: "share" | "exclusive"): Promise<QueueRow>;
  saveQueue(name: string, patch: Partial<Omit<QueueRow, "name">>): Promise<void>;

  /** Makes these lanes where they do not exist, and locks them, in key order. */
  ensureLanes(queue: string, keys: readonly string[]): Promise<void>;
  /** The same without waiting for anybody: returns the keys of the lanes that are locked now. */
  tryLanes(queue: string, keys: readonly string[]): Promise<Set<string>>;
  /** Locks these lanes in key order; lanes that do not exist are left out. */
  lockLanes(queue: string, keys: readonly string[]): Promise<Lane[]>;
  holdLanes(queue: string, keys: readonly string[], hold: NonNullable<Lane["held"]>): Promise<void>;
  releaseLanes(queue: string, keys: readonly string[]): Promise<void>;
  /** Lets the head of each open lane through, and counts it ready if no other lane of it stands in the way. */
  admitHeads(queue: string, keys: readonly string[]): Promise<void>;
  /** Takes the job that waits at the head of a lane, if one waits there, back to blocked. */
  blockHead(queue: string, key: string): Promise<void>;
  /** The first jobs of a lane that wait, in order; running and failed ones do not wait. */
  waitingInLane(queue: string, key: string, most: number): Promise<JobRow[]>;

  /** With a tenant only a job of that tenant is found. */
  job(reference: JobReference, tenant?: string | null): Promise<JobRow | undefined>;
  jobs(positions: readonly number[]): Promise<JobRow[]>;
  /** Reads jobs with their rows and claims locked, so that their states cannot change before the commit. */
  lockJobs(positions: readonly number[]): Promise<JobRow[]>;
  saveJobs(positions: readonly number[], patch: JobPatch): Promise<void>;
  /** Ends a claim if it still stands: the fence in words. */
  takeRunning(pos: number, fence: number): Promise<RunningRow | undefined>;
  /**
   * Writes the wish of an operator beside a running job, without waiting for what the job's worker has locked; the first
   * wish stands. Undefined where the job does not run.
   */
  wishCancel(pos: number, cancel: { actor: string; reason: string | null }): Promise<RunningRow | undefined>;
  /** Completes one job inside this transaction; false where its claim no longer stands. */
  finish(queue: string, worker: string, completions: readonly Completion[]): Promise<boolean>;
  /** With `progress` that is written too. False where the claim no longer stands. */
  saveCheckpoint(pos: number, fence: number, cursor: string, progress?: string | null): Promise<boolean>;
  /** Claims one named job that is ready: how the probe of a degraded queue is taken. */
  claimReady(job: JobRow, worker: string, epoch: number): Promise<Claim>;

  /** Puts jobs that have their places in their lanes in line. Returns the ones that are ready; the rest is blocked. */
  enterLine(queue: string, positions: readonly number[]): Promise<Set<number>>;
  /** Gives jobs of one queue their places at the end of their lanes, in this order; makes lanes that do not exist. */
  joinLanes(queue: string, jobs: readonly LineJob[]): Promise<void>;
  /** Takes jobs out of their lanes and lets the next ones through. */
  leaveLanes(queue: string, positions: readonly number[]): Promise<void>;
  /** Of these jobs, the ones that have places in lanes. */
  inLanes(positions: readonly number[]): Promise<Set<number>>;
  leaveReady(queue: string, positions: readonly number[]): Promise<void>;
  setTimer(queue: string, pos: number, due: number, kind: "later" | "backoff"): Promise<void>;
  leaveTimers(positions: readonly number[]): Promise<void>;
  setAside(positions: readonly number[], state: JobState, at: number): Promise<void>;
  leaveAside(positions: readonly number[]): Promise<void>;
  /** Adds to the queue's counts. The lane steps above count for themselves. */
  tally(queue: string, changes: Partial<JobCounts>): void;
  /** The queue's counts, with what this transaction has changed in them. */
  counts(queue: string): Promise<JobCounts>;

  /** False while another transaction puts due jobs of this queue in line: two at once would mix up the order of lanes. */
  tryPromotion(queue: string): Promise<boolean>;
  /** Jobs that are due, in the order of their places, from behind one on; those that others hold are passed over. */
  dueJobs(queue: string, now: number, most: number, after?: DuePlace): Promise<(LineJob & DuePlace)[]>;
  asidePositions(queue: string, state: JobState, most: number): Promise<number[]>;
  firstReady(queue: string): Promise<JobRow | undefined>;
  runningOf(filter: { queue?: string; worker?: string }): Promise<RunningRow[]>;
  lastClaim(
    queue: string,
  ): Promise<{ turn: number; worker: string; at: number; jobId: string | null } | undefined>;

  addAttempt(attempt: NewAttempt): Promise<void>;
  /** Deletes the attempts of a job that ended so. */
  dropAttempts(pos: number, outcome: AttemptOutcome): Promise<void>;
  /** Written just before the commit, as the next row of the chain. */
  addAudit(row: NewAuditRow): Promise<void>;
  /** Rows of the feed are written last, just before the commit, so that their order is the order of commits. */
  event<Type extends EventType>(
    type: Type,
    queue: string | null,
    jobId: string | null,
    data: EventData[Type],
  ): void;
  addStop(certificate: StopCertificate): Promise<void>;
  closeStop(id: string, at: number, actor: string): Promise<void>;
  stop(id: string): Promise<StopCertificate | undefined>;

  /** False where the name is taken. */
  addSchedule(schedule: Schedule): Promise<boolean>;
  saveSchedule(schedule: Schedule): Promise<void>;
  dropSchedule(id: string): Promise<void>;
  lockSchedule(name: string): Promise<Schedule | undefined>;
  /** Schedules that are due, earliest first, from behind one on; those that another transaction holds are passed over. */
  lockDueSchedules(now: number, most: number, after?: Schedule): Promise<Schedule[]>;

  /** Adds a plan, or completes one whose list is whole now. */
  savePlan(plan: PlanRow): Promise<void>;
  plan(id: string): Promise<PlanRow | undefined>;
  closePlan(id: string, at: number): Promise<void>;
  /** Deletes a plan of a queue that expired before a time; false where there is none. */
  dropPlan(queue: string, before: number): Promise<boolean>;

  addOperation(operation: OperationRow): Promise<void>;
  lockOperation(id: string): Promise<OperationRow | undefined>;
  /** Saves how far it is, with the next beat; false where it has another driver by now, or has ended. */
  saveOperation(operation: OperationRow): Promise<boolean>;
  /** Makes somebody its driver if its beat is still this one. */
  takeOperation(id: string, beat: number, driver: string): Promise<boolean>;
  /** False where it has another driver by now. */
  beatOperation(id: string, driver: string): Promise<boolean>;
  /** Its driver goes; whoever looks next takes it. */
  leaveOperation(id: string, driver: string): Promise<void>;
  /** Deletes operations of a queue that have ended and were made before a time. */
  dropOperations(queue: string, before: number): Promise<void>;
  /** Appends rows to a frozen list, from this number on. */
  addSteps(list: string, from: number, steps: readonly (readonly ListItem[])[]): Promise<void>;
  dropListBefore(list: string, before: number): Promise<void>;
  listStep(list: string, number: number): Promise<ListItem[]>;
  /** Where the list of ended jobs of a state ends now; undefined where it is empty. */
  lastEndedPlace(queue: string, state: JobState): Promise<EndedPlace | undefined>;

  forgetWorker(worker: string): Promise<void>;
  /** Deletes jobs of one queue with all that tells of them, whatever their state. */
  deleteJobs(queue: string, jobs: readonly JobRow[]): Promise<void>;
  /** About `most` jobs of a queue, in no order; none where the last one is gone. For deleting them in this transaction. */
  takeJobsOf(queue: string, most: number): Promise<number[]>;
  /** Deletes what a queue without jobs leaves, some of it; returns how many rows. */
  deleteLeftovers(queue: string, most: number): Promise<number>;
  deleteQueue(name: string): Promise<void>;
  /** Deletes up to about `most` rows from before a time; returns how many. */
  dropHistory(kind: HistoryKind, before: number, most: number): Promise<number>;
  purge(queue: string, state: JobState, before: number, most: number): Promise<Purged>;
}

/** How many jobs one step of a purge deleted, and whether there was nothing left to delete, be it only old claims. */
export interface Purged {
  readonly gone: number;
  readonly isOver: boolean;
}
