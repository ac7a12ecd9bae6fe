import type {
  Attempt,
  AuditRow,
  FeedEvent,
  JobCounts,
  JobState,
  Lane,
  Page,
  Schedule,
  Scope,
  StopCertificate,
} from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { FailureReading } from "../library/reading-failures.ts";
import type { BulkBoundary } from "./bulk-rows.ts";
import type { DecisionRow } from "./decision-rows.ts";
import type { EndedInMinute, HistoryTotal, HistoryWish, StoredHistory } from "./history-rows.ts";
import type { Holder, OldestHistory, OldestOfQueue } from "./housekeeping.ts";
import type { EndedPlace, ListItem, OperationFilter, OperationRow } from "./operation-rows.ts";
import type {
  AuditFilter,
  AuditHead,
  BoundedCounts,
  ChainedAuditRow,
  FingerprintGroup,
  FurtherPage,
  JobFilter,
  PlannedJob,
  PlanRow,
  QueueOverview,
} from "./operator-rows.ts";
import type { ReadingRows } from "./reading-rows.ts";
import type { EndedStage, JobReference, JobRow, LaneRow, QueueRow, RunningRow, TimerKind } from "./rows.ts";

/** Reads; none of them takes a lock. */
export interface StoreReader {
  /** What apps may read, outside of any transaction. */
  readonly reading: ReadingRows;
  /** With a scope only a job within it is found. */
  job(reference: JobReference, scope?: Scope): Promise<JobRow | undefined>;
  attempts(pos: number): Promise<Attempt[]>;
  running(pos: number): Promise<RunningRow | undefined>;
  runningOf(filter: { queue?: string; worker?: string }): Promise<RunningRow[]>;
  /** The jobs that have run longest, the longest first. `total` counts all running jobs that match the filter. */
  longestRunning(
    filter: Scope & { queue?: string | undefined },
    page: number,
    limit: number,
  ): Promise<Page<JobRow>>;
  /** The bulk data, by position, of those jobs that are bulk jobs or have an abort request. */
  bulks(positions: readonly number[]): Promise<ReadonlyMap<number, BulkBoundary>>;
  timer(pos: number): Promise<{ due: number; kind: TimerKind } | undefined>;
  /** The stages of a job that have ended, in their order. */
  endedStages(pos: number): Promise<EndedStage[]>;
  /** How many jobs of a stage are at work, and how many are ready before this one; each counted up to `most`. */
  inStage(job: JobRow, most: number): Promise<{ running: number; ahead: number }>;
  /** The lanes of a job, with the head of each lane and the number of jobs ahead. */
  lanesOf(
    pos: number,
  ): Promise<(Lane & { seq: number; headJobId: string | null; headState: JobState | null; ahead: number })[]>;
  queue(name: string): Promise<QueueRow | undefined>;
  queues(): Promise<QueueRow[]>;
  counts(queue: string): Promise<JobCounts>;
  /** The counts of many queues, by name. */
  countsOf(queues: readonly string[]): Promise<ReadonlyMap<string, JobCounts>>;
  /** Jobs of one queue and state: waiting ones in the order they will run, ended ones newest first. */
  jobs(queue: string, state: JobState, page: number, limit: number): Promise<Page<JobRow>>;
  /**
   * Jobs by filter, newest first; of one queue and state in the order of `jobs`. The time does not grow with the
   * backlog: for a filter without an index only a limited number of jobs is read, and `more` is set. `isReversed`: in
   * reverse order, for a filter that `isReversible`.
   */
  searchJobs(filter: JobFilter, page: number, limit: number, isReversed?: boolean): Promise<Page<JobRow>>;
  /** Continues a search that has stopped: reads the jobs before a position, newest first, in bounded steps. */
  searchFurther(filter: JobFilter, before: number, limit: number): Promise<FurtherPage>;
  /** Counts per state of the jobs that a search reads. */
  countJobs(filter: JobFilter): Promise<BoundedCounts>;
  countsOfScope(queue: string, scope: Scope): Promise<BoundedCounts>;
  /**
   * Every job in these states that matches the filter, in batches until the caller stops, however long that takes. A
   * job that moves meanwhile is found if it moves in the order of `states`.
   */
  scanJobs(queue: string, states: readonly JobState[], filter: JobFilter): AsyncGenerator<number[], void>;
  overview(queue: string, now: number): Promise<QueueOverview>;
  overviews(queues: readonly string[], now: number): Promise<ReadonlyMap<string, QueueOverview>>;
  /** Failed jobs grouped by what went wrong, the largest group first; of the 1,000 that failed last. */
  fingerprints(queue: string, scope: Scope, page: number, limit: number): Promise<Page<FingerprintGroup>>;
  plan(id: string, scope?: Scope): Promise<PlanRow | undefined>;
  operation(id: string, scope?: Scope): Promise<OperationRow | undefined>;
  /** Newest first. */
  operations(filter: OperationFilter, page: number, limit: number): Promise<Page<OperationRow>>;
  openOperations(): Promise<OperationRow[]>;
  /** One row of a frozen list; empty after its end. */
  listStep(list: string, number: number): Promise<ListItem[]>;
  /** Jobs in an ended state, up to a place in their list, in batches. */
  endedPositions(queue: string, state: JobState, upTo: EndedPlace): AsyncGenerator<number[], void>;
  /** Jobs that wait in a lane, in order, in batches. */
  waitingPositions(queue: string, lane: LaneId): AsyncGenerator<number[], void>;
  /** The first jobs of a lane in their order, in any state. */
  frontOfLane(queue: string, lane: LaneId, most: number): Promise<PlannedJob[]>;
  plannedJobs(positions: readonly number[]): Promise<PlannedJob[]>;
  /** The lanes of these jobs. */
  laneIdsOf(positions: readonly number[]): Promise<LaneId[]>;
  lane(queue: string, lane: LaneId): Promise<Lane | undefined>;
  /** With a tenant only its own lanes. */
  lanes(
    filter: { queue: string; held?: boolean; tenant?: string | undefined },
    page: number,
    limit: number,
  ): Promise<Page<Lane>>;
  /** Of these lanes, the ones that a failed job holds. */
  lanesHeldByFailure(queue: string, lanes: readonly LaneId[]): Promise<LaneRow[]>;
  readJobs(positions: readonly number[]): Promise<JobRow[]>;
  /** In the order in which they were added; ids that are unknown, or not within the scope, are left out. */
  jobsById(ids: readonly string[], scope: Scope): Promise<JobRow[]>;
  aheadInLine(job: JobRow, most: number): Promise<number>;
  lineBlocker(
    queue: string,
  ): Promise<{ jobId: string; kind: "running" | "backoff"; until: number | null } | undefined>;
  runningOfTenant(queue: string, tenant: string): Promise<number>;
  /** Starts of a queue since a time, counted from its last `most` entries of the claim log. */
  startedSince(queue: string, since: number, most: number): Promise<number>;
  workers(): Promise<WorkerRow[]>;
  /** A decision that is or was held back. */
  decision(id: string): Promise<DecisionRow | undefined>;
  pendingDecision(jobId: string): Promise<DecisionRow | undefined>;
  /** The pending decisions about these jobs. */
  pendingDecisions(jobIds: readonly string[]): Promise<DecisionRow[]>;
  /** The decisions of these queues that are due. */
  dueDecisions(now: number, queues: readonly string[], most: number): Promise<DecisionRow[]>;
  nextDecisionAt(queues: readonly string[]): Promise<number | null>;
  /** Workers that were lost in the last 7 days, the latest first. */
  lostWorkers(most: number): Promise<LostWorker[]>;
  /** Every worker that has claims now, also one that is not in the list of workers. */
  holders(): Promise<Holder[]>;
  /** The workers that are connected to the database; null if the database does not report them. */
  connectedWorkers(): Promise<ReadonlySet<string> | null>;
  /** Counts and times of a queue by the minute or the hour, exact at any moment. */
  history(queue: string, wish: HistoryWish): Promise<StoredHistory>;
  /**
   * How many jobs of these queues ended since a time, by the minute; minutes without an end are left out, and a minute
   * may occur twice.
   */
  endedByMinute(queues: readonly string[], from: number): Promise<EndedInMinute[]>;
  /** The totals since the beginning, by queue. */
  historyTotals(queues: readonly string[]): Promise<Map<string, HistoryTotal>>;
  oldestHistory(): Promise<OldestHistory>;
  /** When the oldest row of the feed was written; null while it is empty. */
  feedBeginsAt(): Promise<number | null>;
  oldestOf(queues: readonly string[], now: number): Promise<OldestOfQueue[]>;
  /** With a scope: the events of jobs within it, and those of whole queues without the data of other tenants. */
  events(after: number, most: number, filter?: Scope & { queue?: string | undefined }): Promise<FeedEvent[]>;
  /** The last events about one job, oldest first. */
  jobEvents(jobId: string, most: number): Promise<FeedEvent[]>;
  lastEventId(): Promise<number>;
  audit(filter: AuditFilter, page: number, limit: number): Promise<Page<AuditRow>>;
  /** Rows of the chain after a sequence number, in order. */
  auditChain(after: number, most: number): Promise<ChainedAuditRow[]>;
  auditHead(): Promise<AuditHead>;
  /** The last row up to which the chain was verified; undefined if it was never checked. */
  auditChecked(): Promise<AuditHead | undefined>;
  stops(queue: string, page: number, limit: number): Promise<Page<StopCertificate>>;
  stop(id: string): Promise<StopCertificate | undefined>;
  /** Failed jobs by their cause. */
  readonly failures: FailureReading;
  /** The events of a stop of this queue at this time. */
  stopEvents(queue: string, at: number): Promise<FeedEvent[]>;
  /** Claims in the claim log after an entry, oldest first: what a certificate is checked against. */
  claimsAfter(
    queue: string,
    entry: number,
    most: number,
  ): Promise<{ id: number; epoch: number; at: number; worker: string }[]>;
  nextDue(): Promise<number | undefined>;
  /** Queues with a job that is due, to be promoted. */
  dueQueues(now: number): Promise<string[]>;
  schedule(name: string): Promise<Schedule | undefined>;
  schedules(page: number, limit: number): Promise<Page<Schedule>>;
  /** The first time after `after` that a schedule is due. */
  nextScheduleAt(after: number): Promise<number | undefined>;
}

export interface ProgressRow {
  pos: number;
  fence: number;
  queue: string;
  progress: string;
}

export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  beat: number;
  startedAt: number;
  /** It has claims, or is about to claim; it beats only then. */
  atWork: boolean;
  /** The time of its last beat; null for a worker of an earlier version, which does not report it. */
  beatAt: number | null;
  version: string | null;
  queues: string[];
  /**
   * The rules by which it works them, as far as other processes need them; empty for a worker of an earlier version.
   */
  rules: Readonly<Record<string, WorkedQueue>>;
}

/** A worker that died, and the jobs that were taken back from it. */
export interface LostWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string | null;
  readonly queues: readonly string[];
  readonly startedAt: number | null;
  readonly lastBeatAt: number | null;
  readonly lostAt: number;
  readonly jobs: readonly string[];
}

export interface WorkedQueue {
  /** In milliseconds. */
  readonly lease: number;
  /** How many jobs it runs at once; absent for an earlier version. */
  readonly places?: number;
  /** How long it keeps done and otherwise ended jobs, in milliseconds; absent for an earlier version. */
  readonly keep?: { readonly done: number; readonly ended: number };
  readonly serial: boolean;
  /** It claims nothing, since other workers run the queue in another mode. */
  readonly waits: boolean;
}
