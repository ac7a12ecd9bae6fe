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

/** What a caller's own statements run on. `$1` placeholders on both databases. */
export interface Tx {
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** What happened, for the history: these only grow. */
export interface HappenedCounts {
  /** Jobs that finally failed. */
  failures: number;
  /** Attempts that failed, also those that were not charged. */
  attempts_failed: number;
}

/** The steps that a verb composes inside its one transaction. Locks go queue → lanes by key → jobs. */
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

  /** Makes these lanes where they do not exist, and locks them, in key order. */
  ensureLanes(queue: string, lanes: readonly LaneId[]): Promise<void>;
  /** The same without waiting for anybody: returns the lanes that are locked now. */
  tryLanes(queue: string, lanes: readonly LaneId[]): Promise<Set<LaneId>>;
  /** Locks these lanes in key order; lanes that do not exist are left out. */
  lockLanes(queue: string, lanes: readonly LaneId[]): Promise<LaneRow[]>;
  holdLanes(queue: string, lanes: readonly LaneId[], hold: NonNullable<Lane["held"]>): Promise<void>;
  releaseLanes(queue: string, lanes: readonly LaneId[]): Promise<void>;
  /** Lets the head of each open lane through, and counts it ready if no other lane of it stands in the way. */
  admitHeads(queue: string, lanes: readonly LaneId[]): Promise<void>;
  /** Takes the job that waits at the head of a lane, if one waits there, back to blocked. */
  blockHead(queue: string, lane: LaneId): Promise<void>;
  /** The first jobs of a lane that wait, in order; running and failed ones do not wait. */
  waitingInLane(queue: string, lane: LaneId, most: number): Promise<JobRow[]>;

  /** With a scope only a job within it is found. */
  job(reference: JobReference, scope?: Scope): Promise<JobRow | undefined>;
  jobs(positions: readonly number[]): Promise<JobRow[]>;
  /** Reads jobs with their rows and claims locked, so that their states cannot change before the commit. */
  lockJobs(positions: readonly number[]): Promise<JobRow[]>;
  saveJobs(positions: readonly number[], patch: JobPatch): Promise<void>;
  /** Ends a claim if it still stands: the fence in words. */
  takeRunning(pos: number, fence: number): Promise<RunningRow | undefined>;
  /**
   * Writes the wish of an operator beside a running job, without waiting for what the job's worker has locked; the first
   * wish stands, but one for the boundary becomes one for now. Undefined where the job does not run.
   */
  wishCancel(pos: number, cancel: CancelWish): Promise<RunningRow | undefined>;
  /** Completes one job inside this transaction; false where its claim no longer stands. */
  finish(queue: string, worker: string, completions: readonly Completion[]): Promise<boolean>;
  /** With `progress` that is written too. False where the claim no longer stands. */
  saveCheckpoint(pos: number, fence: number, cursor: string, progress?: string | null): Promise<boolean>;
  /** Begins a walk: the job's row, made where there is none. Undefined where the claim no longer stands. */
  beginBulk(pos: number, fence: number, presets: BulkPresets): Promise<BulkBoundary | undefined>;
  /** Fixes the total, once. False where the claim no longer stands. */
  startBulk(pos: number, fence: number, total: number | null): Promise<boolean>;
  /** Saves a chunk and reads the wishes. Undefined where the claim no longer stands, or the job is to be cancelled. */
  saveChunk(pos: number, fence: number, chunk: ChunkFacts): Promise<BulkBoundary | undefined>;
  bulk(pos: number): Promise<BulkBoundary | undefined>;
  /** Members that are null stay as they are. */
  saveThrottle(
    pos: number,
    throttle: { pauseMs: number | null; maxPerSecond: number | null },
  ): Promise<BulkBoundary>;
  /** Writes a wish to abort; it waits for nobody, and the first wish stands. Returns the one that stands. */
  wishAbort(pos: number, wish: StoredAbortWish): Promise<{ wish: StoredAbortWish; isFirst: boolean }>;
  /** Takes wishes to abort back; those jobs are queued again. */
  dropAbortWishes(positions: readonly number[]): Promise<void>;
  /** Notes that a job goes on from its cursor, where it is a bulk job. */
  markResumed(pos: number): Promise<void>;
  /** Claims as `Store.finishAndClaim` does, inside this transaction and under the queue's exclusive lock. */
  claimInLine(request: FinishAndClaimRequest): Promise<FinishAndClaimResult>;
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
  setTimer(queue: string, pos: number, due: number, kind: TimerKind): Promise<void>;
  leaveTimers(positions: readonly number[]): Promise<void>;
  recordEnded(positions: readonly number[], state: JobState, at: number): Promise<void>;
  leaveEnded(positions: readonly number[]): Promise<void>;
  /** Adds to the queue's counts. The lane steps above count for themselves. */
  tally(queue: string, changes: Partial<JobCounts & HappenedCounts>): void;
  /** The queue's counts, with what this transaction has changed in them. */
  counts(queue: string): Promise<JobCounts>;

  /** False while another transaction puts due jobs of this queue in line: two at once would mix up the order of lanes. */
  tryPromotion(queue: string): Promise<boolean>;
  /** Jobs that are due, in the order of their places, from behind one on; those that others hold are passed over. */
  dueJobs(queue: string, now: number, most: number, after?: DuePlace): Promise<DueJob[]>;
  firstEnded(queue: string, state: JobState, most: number): Promise<number[]>;
  firstReady(queue: string): Promise<JobRow | undefined>;
  runningOf(filter: { queue?: string; worker?: string }): Promise<RunningRow[]>;
  lastClaim(
    queue: string,
  ): Promise<{ entry: number; worker: string; at: number; jobId: string | null } | undefined>;

  /** Writes what became of a stage; where the job has been through it before, that is replaced. */
  saveStage(stage: EndedStage): Promise<void>;
  endedStages(pos: number): Promise<EndedStage[]>;
  /** Waits for others who park for this event, or tell of it; returns what has come, if anything has. */
  lockArrival(event: string): Promise<Arrival | undefined>;
  /** Writes that an event came, unless it came before: then false. Jobs that are parked for it become due. */
  addArrival(event: string, payload: string): Promise<boolean>;
  /** What has come of these events, by event. No lock. */
  arrivals(events: readonly string[]): Promise<ReadonlyMap<string, Arrival>>;

  addAttempt(attempt: NewAttempt): Promise<void>;
  /** Deletes the attempts of a job that ended so. */
  dropAttempts(pos: number, outcome: AttemptOutcome): Promise<void>;
  /** Written just before the commit, as the next row of the chain. */
  addAudit(row: NewAuditRow): Promise<void>;
  /** Keeps how far the chain of the audit log was found to hold; an earlier place changes nothing. */
  saveAuditChecked(head: AuditHead): Promise<void>;
  /** Rows of the feed are written last, just before the commit, so that their order is the order of commits. */
  event<Type extends EventType>(
    type: Type,
    queue: string | null,
    jobId: string | null,
    data: EventData[Type],
    /** Who may see it where it is about no job. Default: as far as the job says. */
    scope?: Scope,
  ): void;
  addStop(certificate: StopCertificate): Promise<void>;
  closeStop(id: string, at: number, actor: string): Promise<void>;
  stop(id: string): Promise<StopCertificate | undefined>;
  /** Failed jobs by their cause, as this transaction sees them. */
  readonly failures: FailureReading;

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

  addDecision(decision: DecisionRow): Promise<void>;
  lockDecision(id: string): Promise<DecisionRow | undefined>;
  pendingDecision(jobId: string): Promise<DecisionRow | undefined>;
  settleDecision(id: string, settled: SettledDecision): Promise<void>;
  /** Queues that nobody else works are noted as left. */
  forgetWorker(worker: string): Promise<void>;
  addLostWorker(worker: WorkerRow, jobs: readonly string[]): Promise<void>;
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
