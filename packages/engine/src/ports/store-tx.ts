import type {
  Arrival,
  AttemptOutcome,
  EventData,
  EventType,
  JobCounts,
  JobState,
  Lane,
  Schedule,
  Scope,
  StopCertificate,
} from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { FailureReading } from "../library/reading-failures.ts";
import type { BulkBoundary, BulkPresets, ChunkFacts, StoredAbortWish } from "./bulk-rows.ts";
import type { DecisionRow, SettledDecision } from "./decision-rows.ts";
import type { HistoryKind } from "./housekeeping.ts";
import type { EndedPlace, ListItem, OperationRow } from "./operation-rows.ts";
import type { AuditHead, NewAuditRow, PlanRow } from "./operator-rows.ts";
import type { ReadingRows } from "./reading-rows.ts";
import type {
  CancelWish,
  Claim,
  Completion,
  DueJob,
  DuePlace,
  EndedStage,
  FinishAndClaimRequest,
  FinishAndClaimResult,
  JobPatch,
  JobReference,
  JobRow,
  LaneRow,
  LineJob,
  NewAttempt,
  NewJob,
  Placed,
  QueueRow,
  RunningRow,
  TimerKind,
} from "./rows.ts";
import type { Signal } from "./signal.ts";
import type { WorkerRow } from "./store-reader.ts";

/** Runs a caller's own statements. `$1` placeholders on both databases. */
export interface Tx {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Counts for the history, which only increase. */
export interface HappenedCounts {
  /** Jobs that finally failed. */
  failures: number;
  /** Attempts that failed, also those that were not charged. */
  attempts_failed: number;
}

/**
 * The steps that a verb composes inside its one transaction. Locks are taken in the order queue → lanes by key → jobs.
 */
export interface StoreTx extends Tx {
  /** What apps may read, inside this transaction. */
  readonly reading: ReadingRows;

  /** The time of this transaction: every stamp in it is the same. */
  now(): number;

  enqueue(queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]>;

  ensureQueue(name: string): Promise<void>;
  /** Sent when this transaction has committed, and only then. */
  signalOnCommit(signal: Signal): Promise<void>;

  /** `exclusive` shuts out claims, promotion of due jobs and other decisions on this queue until the commit. */
  lockQueue(name: string, mode: "share" | "exclusive"): Promise<QueueRow>;
  saveQueue(name: string, patch: Partial<Omit<QueueRow, "name">>): Promise<void>;

  /** Creates these lanes if they do not exist, and locks them, in key order. */
  ensureLanes(queue: string, lanes: readonly LaneId[]): Promise<void>;
  /** The same without waiting for locks: returns the lanes that it has locked. */
  tryLanes(queue: string, lanes: readonly LaneId[]): Promise<Set<LaneId>>;
  /** Locks these lanes in key order; lanes that do not exist are left out. */
  lockLanes(queue: string, lanes: readonly LaneId[]): Promise<LaneRow[]>;
  holdLanes(queue: string, lanes: readonly LaneId[], hold: NonNullable<Lane["held"]>): Promise<void>;
  releaseLanes(queue: string, lanes: readonly LaneId[]): Promise<void>;
  /** Admits the head of each open lane: it becomes ready if no other of its lanes blocks it. */
  admitHeads(queue: string, lanes: readonly LaneId[]): Promise<void>;
  /** Makes the job that waits at the head of a lane, if there is one, blocked again. */
  blockHead(queue: string, lane: LaneId): Promise<void>;
  /** The first jobs of a lane that wait, in order; running and failed ones do not wait. */
  waitingInLane(queue: string, lane: LaneId, most: number): Promise<JobRow[]>;

  /** With a scope only a job within it is found. */
  job(reference: JobReference, scope?: Scope): Promise<JobRow | undefined>;
  jobs(positions: readonly number[]): Promise<JobRow[]>;
  /** Reads jobs with their rows and claims locked, so that their states cannot change before the commit. */
  lockJobs(positions: readonly number[]): Promise<JobRow[]>;
  saveJobs(positions: readonly number[], patch: JobPatch): Promise<void>;
  /** Ends a claim if its fence still matches; otherwise undefined. */
  takeRunning(pos: number, fence: number): Promise<RunningRow | undefined>;
  /**
   * Stores an operator's request to cancel a running job, without waiting for rows that the job's worker has locked.
   * The first request stands, but a later one for `now` replaces one for the `boundary`. Undefined if the job does not
   * run.
   */
  wishCancel(pos: number, cancel: CancelWish): Promise<RunningRow | undefined>;
  /** Completes jobs inside this transaction; false if a claim was lost. */
  finish(queue: string, worker: string, completions: readonly Completion[]): Promise<boolean>;
  /** With `progress`, that is written too. False if the claim was lost. */
  saveCheckpoint(pos: number, fence: number, cursor: string, progress?: string | null): Promise<boolean>;
  /** Begins a walk: reads the job's bulk row, or creates it. Undefined if the claim was lost. */
  beginBulk(pos: number, fence: number, presets: BulkPresets): Promise<BulkBoundary | undefined>;
  /** Fixes the total, once. False if the claim was lost. */
  startBulk(pos: number, fence: number, total: number | null): Promise<boolean>;
  /** Saves a chunk and reads an abort request. Undefined if the claim was lost, or the job is to be cancelled. */
  saveChunk(pos: number, fence: number, chunk: ChunkFacts): Promise<BulkBoundary | undefined>;
  bulk(pos: number): Promise<BulkBoundary | undefined>;
  /** Members that are null are not changed. */
  saveThrottle(
    pos: number,
    throttle: { pauseMs: number | null; maxPerSecond: number | null },
  ): Promise<BulkBoundary>;
  /** Stores an abort request without waiting for locks; the first request stands. Returns the one that stands. */
  wishAbort(pos: number, wish: StoredAbortWish): Promise<{ wish: StoredAbortWish; isFirst: boolean }>;
  /** Deletes the abort requests of jobs that are queued again. */
  dropAbortWishes(positions: readonly number[]): Promise<void>;
  /** Records that a bulk job is resumed from its cursor; does nothing for other jobs. */
  markResumed(pos: number): Promise<void>;
  /** Claims as `Store.finishAndClaim` does, inside this transaction and under the queue's exclusive lock. */
  claimInLine(request: FinishAndClaimRequest): Promise<FinishAndClaimResult>;
  /** Claims this job, which is ready: used for the probe of a degraded queue. */
  claimReady(job: JobRow, worker: string, epoch: number): Promise<Claim>;

  /**
   * Puts jobs in line that already have their places in their lanes. Returns those that are ready; the others are
   * blocked.
   */
  enterLine(queue: string, positions: readonly number[]): Promise<Set<number>>;
  /** Gives jobs of one queue their places at the end of their lanes, in this order; creates lanes that do not exist. */
  joinLanes(queue: string, jobs: readonly LineJob[]): Promise<void>;
  /** Removes jobs from their lanes and admits the next ones. */
  leaveLanes(queue: string, positions: readonly number[]): Promise<void>;
  /** Of these jobs, the ones that have places in lanes. */
  inLanes(positions: readonly number[]): Promise<Set<number>>;
  leaveReady(queue: string, positions: readonly number[]): Promise<void>;
  setTimer(queue: string, pos: number, due: number, kind: TimerKind): Promise<void>;
  leaveTimers(positions: readonly number[]): Promise<void>;
  recordEnded(positions: readonly number[], state: JobState, at: number): Promise<void>;
  leaveEnded(positions: readonly number[]): Promise<void>;
  /** Adds to the queue's counts. The lane steps above update the counts by themselves. */
  tally(queue: string, changes: Partial<JobCounts & HappenedCounts>): void;
  /** The queue's counts, including the changes of this transaction. */
  counts(queue: string): Promise<JobCounts>;

  /** False while another transaction puts due jobs of this queue in line: two at once would mix up the order of lanes. */
  tryPromotion(queue: string): Promise<boolean>;
  /**
   * Jobs that are due, in the order of their places, from behind `after` on; jobs that others have locked are passed
   * over.
   */
  dueJobs(queue: string, now: number, most: number, after?: DuePlace): Promise<DueJob[]>;
  firstEnded(queue: string, state: JobState, most: number): Promise<number[]>;
  firstReady(queue: string): Promise<JobRow | undefined>;
  runningOf(filter: { queue?: string; worker?: string }): Promise<RunningRow[]>;
  lastClaim(
    queue: string,
  ): Promise<{ entry: number; worker: string; at: number; jobId: string | null } | undefined>;

  /** Stores how a stage ended; the row of an earlier pass through the same stage is replaced. */
  saveStage(stage: EndedStage): Promise<void>;
  endedStages(pos: number): Promise<EndedStage[]>;
  /** Locks an event against other parks and arrivals; returns its arrival, if it has arrived. */
  lockArrival(event: string): Promise<Arrival | undefined>;
  /**
   * Stores the arrival of an event, and makes the jobs that are parked for it due. False if the event arrived before.
   */
  addArrival(event: string, payload: string): Promise<boolean>;
  /** Those of these events that have arrived, by event. No lock. */
  arrivals(events: readonly string[]): Promise<ReadonlyMap<string, Arrival>>;

  addAttempt(attempt: NewAttempt): Promise<void>;
  /** Deletes the attempts of a job with this outcome. */
  dropAttempts(pos: number, outcome: AttemptOutcome): Promise<void>;
  /** Written just before the commit, as the next row of the chain. */
  addAudit(row: NewAuditRow): Promise<void>;
  /** Stores up to which row the chain of the audit log was verified; an earlier row changes nothing. */
  saveAuditChecked(head: AuditHead): Promise<void>;
  /** Rows of the feed are written last, just before the commit, so that their order is the order of commits. */
  event<Type extends EventType>(
    type: Type,
    queue: string | null,
    jobId: string | null,
    data: EventData[Type],
    /** The scope that may see it, if it is about no job. Default: that of the job. */
    scope?: Scope,
  ): void;
  addStop(certificate: StopCertificate): Promise<void>;
  closeStop(id: string, at: number, actor: string): Promise<void>;
  stop(id: string): Promise<StopCertificate | undefined>;
  /** Failed jobs by their cause, as this transaction sees them. */
  readonly failures: FailureReading;

  /** False if the name is taken. */
  addSchedule(schedule: Schedule): Promise<boolean>;
  saveSchedule(schedule: Schedule): Promise<void>;
  dropSchedule(id: string): Promise<void>;
  lockSchedule(name: string): Promise<Schedule | undefined>;
  /**
   * Schedules that are due, earliest first, from behind `after` on; those that another transaction has locked are
   * passed over.
   */
  lockDueSchedules(now: number, most: number, after?: Schedule): Promise<Schedule[]>;

  /** Adds a plan, or completes one whose list is complete. */
  savePlan(plan: PlanRow): Promise<void>;
  plan(id: string): Promise<PlanRow | undefined>;
  closePlan(id: string, at: number): Promise<void>;
  /** Deletes a plan of a queue that expired before a time; false if there is none. */
  dropPlan(queue: string, before: number): Promise<boolean>;

  addOperation(operation: OperationRow): Promise<void>;
  lockOperation(id: string): Promise<OperationRow | undefined>;
  /** Saves its progress and increments its beat; false if it has another driver by now, or has ended. */
  saveOperation(operation: OperationRow): Promise<boolean>;
  /** Sets its driver, if its beat has not changed. */
  takeOperation(id: string, beat: number, driver: string): Promise<boolean>;
  /** Increments its beat; false if it has another driver by now. */
  beatOperation(id: string, driver: string): Promise<boolean>;
  /** Removes its driver, so that the next process that looks takes it. */
  leaveOperation(id: string, driver: string): Promise<void>;
  /** Deletes operations of a queue that have ended and were made before a time. */
  dropOperations(queue: string, before: number): Promise<void>;
  /** Appends rows to a frozen list, from this number on. */
  addSteps(list: string, from: number, steps: readonly (readonly ListItem[])[]): Promise<void>;
  dropListBefore(list: string, before: number): Promise<void>;
  listStep(list: string, number: number): Promise<ListItem[]>;
  /** The last place in the list of ended jobs of a state; undefined if the list is empty. */
  lastEndedPlace(queue: string, state: JobState): Promise<EndedPlace | undefined>;

  addDecision(decision: DecisionRow): Promise<void>;
  lockDecision(id: string): Promise<DecisionRow | undefined>;
  pendingDecision(jobId: string): Promise<DecisionRow | undefined>;
  settleDecision(id: string, settled: SettledDecision): Promise<void>;
  /** Deletes the worker's row, and stores the time for those of its queues that have no other worker. */
  forgetWorker(worker: string): Promise<void>;
  addLostWorker(worker: WorkerRow, jobs: readonly string[]): Promise<void>;
  /** Deletes jobs of one queue, in any state, with all other rows about them. */
  deleteJobs(queue: string, jobs: readonly JobRow[]): Promise<void>;
  /** About `most` jobs of a queue, in no order, to be deleted in this transaction; empty if none is left. */
  takeJobsOf(queue: string, most: number): Promise<number[]>;
  /** Deletes some of the rows that remain of a queue without jobs; returns how many. */
  deleteLeftovers(queue: string, most: number): Promise<number>;
  deleteQueue(name: string): Promise<void>;
  /** Deletes up to about `most` rows from before a time; returns how many. */
  dropHistory(kind: HistoryKind, before: number, most: number): Promise<number>;
  purge(queue: string, state: JobState, before: number, most: number): Promise<Purged>;
}

/** How many jobs one step of a purge deleted, and whether nothing is left to delete, not even old claims. */
export interface Purged {
  readonly gone: number;
  readonly isOver: boolean;
}
