import type {
  Attempt,
  AuditRow,
  EventData,
  EventType,
  FeedEvent,
  JobCounts,
  JobState,
  Lane,
  Page,
  Schedule,
  StopCertificate,
} from "@andon/contract";
import type { Clock } from "./clock.ts";
import type {
  AuditFilter,
  AuditHead,
  BoundedCounts,
  ChainedAuditRow,
  FingerprintGroup,
  JobFilter,
  NewAuditRow,
  PlanRow,
  QueueOverview,
} from "./operator-rows.ts";
import type {
  Claim,
  Completion,
  JobPatch,
  JobReference,
  JobRow,
  NewAttempt,
  NewJob,
  Placed,
  QueueRow,
  RunningRow,
  TurnRequest,
  TurnResult,
} from "./rows.ts";

export type * from "./operator-rows.ts";
export type * from "./rows.ts";

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
  /** Locks these lanes in key order; lanes that do not exist are left out. */
  lockLanes(queue: string, keys: readonly string[]): Promise<Lane[]>;
  holdLanes(queue: string, keys: readonly string[], hold: NonNullable<Lane["held"]>): Promise<void>;
  releaseLanes(queue: string, keys: readonly string[]): Promise<void>;
  /** Lets the head of each open lane through, and counts it ready if no other lane of it stands in the way. */
  admitHeads(queue: string, keys: readonly string[]): Promise<void>;
  /** Takes the job that waits at the head of a lane, if one waits there, back to blocked. */
  blockHead(queue: string, key: string): Promise<void>;
  /** Jobs of a lane that wait, in order; running and failed ones do not wait. */
  waitingInLane(queue: string, key: string): Promise<JobRow[]>;

  /** With a tenant only a job of that tenant is found. */
  job(reference: JobReference, tenant?: string | null): Promise<JobRow | undefined>;
  jobs(positions: readonly number[]): Promise<JobRow[]>;
  /** Reads jobs with their rows and claims locked, so that their states cannot change before the commit. */
  lockJobs(positions: readonly number[]): Promise<JobRow[]>;
  saveJobs(positions: readonly number[], patch: JobPatch): Promise<void>;
  /** Ends a claim if it still stands: the fence in words. */
  takeRunning(pos: number, fence: number): Promise<RunningRow | undefined>;
  /** Writes the wish of an operator beside a running job. */
  wishCancel(pos: number, cancel: { actor: string; reason: string | null }): Promise<void>;
  /** Completes one job inside this transaction; false where its claim no longer stands. */
  finish(queue: string, worker: string, completions: readonly Completion[]): Promise<boolean>;
  saveCheckpoint(pos: number, fence: number, cursor: string): Promise<boolean>;
  /** Claims one named job that is ready: how the probe of a degraded queue is taken. */
  claimReady(job: JobRow, worker: string, epoch: number): Promise<Claim>;

  /** Puts jobs that have their places in their lanes in line. Returns the ones that are ready; the rest is blocked. */
  enterLine(queue: string, positions: readonly number[]): Promise<Set<number>>;
  /** Gives jobs of one queue their places at the end of their lanes. */
  joinLanes(queue: string, jobs: readonly JobRow[]): Promise<void>;
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

  dueTimers(queue: string, now: number, most: number): Promise<{ pos: number; kind: "later" | "backoff" }[]>;
  asidePositions(queue: string, state: JobState, most: number): Promise<number[]>;
  firstReady(queue: string): Promise<JobRow | undefined>;
  runningOf(filter: { queue?: string; worker?: string }): Promise<RunningRow[]>;
  lastClaim(
    queue: string,
  ): Promise<{ turn: number; worker: string; at: number; jobId: string | null } | undefined>;

  addAttempt(attempt: NewAttempt): Promise<void>;
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
  /** Schedules that are due, earliest first; those that another transaction holds are passed over. */
  lockDueSchedules(now: number, most: number): Promise<Schedule[]>;

  addPlan(plan: PlanRow): Promise<void>;
  plan(id: string): Promise<PlanRow | undefined>;
  closePlan(id: string, at: number): Promise<void>;
  /** Deletes plans of a queue that expired before a time. */
  dropPlans(queue: string, before: number): Promise<void>;

  forgetWorker(worker: string): Promise<void>;
  purge(queue: string, state: JobState, before: number, most: number): Promise<Purged>;
}

/** How many jobs one step of a purge deleted, and whether there was nothing left to delete, be it only old claims. */
export interface Purged {
  readonly gone: number;
  readonly isOver: boolean;
}

export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  beat: number;
  startedAt: number;
  queues: string[];
  /** By which rules it works them, as far as the others must know; nothing of a worker of an earlier version. */
  rules: Readonly<Record<string, WorkedQueue>>;
}

export interface WorkedQueue {
  /** In milliseconds. */
  readonly lease: number;
  readonly serial: boolean;
  /** It claims nothing, since others work the queue in another mode. */
  readonly waits: boolean;
}

/** Facts that only look; none of them takes a lock. */
export interface StoreReader {
  /** With a tenant only a job of that tenant is found. */
  job(reference: JobReference, tenant?: string | null): Promise<JobRow | undefined>;
  attempts(pos: number): Promise<Attempt[]>;
  running(pos: number): Promise<RunningRow | undefined>;
  runningOf(filter: { queue?: string; worker?: string }): Promise<RunningRow[]>;
  timer(pos: number): Promise<{ due: number; kind: "later" | "backoff" } | undefined>;
  /** The lanes of a job with the job that stands before it in each, if any. */
  lanesOf(
    pos: number,
  ): Promise<(Lane & { seq: number; headJobId: string | null; headState: JobState | null; ahead: number })[]>;
  queue(name: string): Promise<QueueRow | undefined>;
  queues(): Promise<QueueRow[]>;
  counts(queue: string): Promise<JobCounts>;
  /** Jobs of one queue and state: waiting ones in the order they will run, ended ones newest first. */
  jobs(queue: string, state: JobState, page: number, limit: number): Promise<Page<JobRow>>;
  /**
   * Jobs by filter, newest first; of one queue and state in the order of `jobs`. Answers in time that does not grow with
   * the backlog: where a filter has no index, only so many jobs are looked at, and `more` says so.
   */
  searchJobs(filter: JobFilter, page: number, limit: number): Promise<Page<JobRow>>;
  /** Counts per state of the jobs that a search looks at. */
  countJobs(filter: JobFilter): Promise<BoundedCounts>;
  countsOfTenant(queue: string, tenant: string): Promise<BoundedCounts>;
  /**
   * Every job in these states that the filter means, batch by batch until the caller has enough, however long it takes.
   * Jobs that move meanwhile are met if they move on in the order of `states`.
   */
  scanJobs(queue: string, states: readonly JobState[], filter: JobFilter): AsyncGenerator<number[], void>;
  overview(queue: string, now: number): Promise<QueueOverview>;
  /** Failed jobs grouped by what went wrong, the largest group first; of the 1,000 that failed last. */
  fingerprints(
    queue: string,
    filter: { tenant?: string | undefined },
    page: number,
    limit: number,
  ): Promise<Page<FingerprintGroup>>;
  plan(id: string, tenant?: string | null): Promise<PlanRow | undefined>;
  lanes(filter: { queue: string; held?: boolean }, page: number, limit: number): Promise<Page<Lane>>;
  /** Of these lanes, the ones that a failed job holds. */
  lanesHeldByFailure(queue: string, keys: readonly string[]): Promise<Lane[]>;
  readJobs(positions: readonly number[]): Promise<JobRow[]>;
  /** In the order they were made; ids that are not known, or not the tenant's, are left out. */
  jobsById(ids: readonly string[], tenant: string | null): Promise<JobRow[]>;
  aheadInLine(job: JobRow, most: number): Promise<number>;
  lineBlocker(
    queue: string,
  ): Promise<{ jobId: string; kind: "running" | "backoff"; until: number | null } | undefined>;
  runningOfTenant(queue: string, tenant: string): Promise<number>;
  /** Starts of a queue since a time, counted from its last `most` turns. */
  startedSince(queue: string, since: number, most: number): Promise<number>;
  workers(): Promise<WorkerRow[]>;
  /** With a tenant: rows of its own jobs, and of whole queues with only what concerns everybody. */
  events(
    after: number,
    most: number,
    filter?: { queue?: string | undefined; tenant?: string | undefined },
  ): Promise<FeedEvent[]>;
  /** The last rows about one job, oldest first. */
  jobEvents(jobId: string, most: number): Promise<FeedEvent[]>;
  lastEventId(): Promise<number>;
  audit(filter: AuditFilter, page: number, limit: number): Promise<Page<AuditRow>>;
  /** Rows of the chain after a place, in order. */
  auditChain(after: number, most: number): Promise<ChainedAuditRow[]>;
  auditHead(): Promise<AuditHead>;
  stops(queue: string, page: number, limit: number): Promise<Page<StopCertificate>>;
  stop(id: string): Promise<StopCertificate | undefined>;
  /** Rows of the feed that tell of a stop of this queue at this time. */
  stopEvents(queue: string, at: number): Promise<FeedEvent[]>;
  /** Claims that the ledger holds after a turn, oldest first: what a certificate is checked against. */
  claimsAfter(
    queue: string,
    turn: number,
    most: number,
  ): Promise<{ id: number; epoch: number; at: number; worker: string }[]>;
  nextDue(): Promise<number | undefined>;
  /** Queues with a job that is due, to be promoted. */
  dueQueues(now: number): Promise<string[]>;
  schedule(name: string): Promise<Schedule | undefined>;
  schedules(page: number, limit: number): Promise<Page<Schedule>>;
  nextScheduleAt(): Promise<number | undefined>;
}

export interface ProgressRow {
  pos: number;
  fence: number;
  queue: string;
  jobId: string;
  progress: string;
}

/** Signals between processes and inside one. Delivery is best effort: whoever waits also looks now and then. */
export type Signal =
  | { kind: "any" }
  | { kind: "timer" }
  | { kind: "schedule" }
  | { kind: "work"; queue: string }
  | { kind: "cancel"; worker: string }
  | { kind: "feed" };

/** Where a set of migrations lives: the engine's own, the host's, or an app's. Files are `NNN-name.sql`. */
export interface MigrationSet {
  readonly name: string;
  /** A folder with the subfolders `sqlite` and `postgres`, the same files in both. */
  readonly folder: URL;
}

export interface Store {
  readonly clock: Clock;
  /** How many turns of one queue are worth having under way at once: 1 where there is one writer. */
  readonly parallelTurns: number;
  readonly read: StoreReader;
  /** Creates or updates tables, the engine's own unless others are named; safe when many processes start at once. */
  migrate(sets?: readonly MigrationSet[]): Promise<void>;
  /** A caller's own look at committed rows, outside any transaction. `$1` placeholders on both databases. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Throws where the store does not answer, or is known to take no writes. */
  ready(): Promise<void>;
  ensureQueue(name: string): Promise<void>;
  /** Gives waiting jobs that were added before their queue was shared fairly their tenant's share. */
  shareOut(queue: string): Promise<void>;

  /** Stores jobs of one queue in a transaction of its own. */
  enqueue(queue: string, serial: boolean, jobs: readonly NewJob[]): Promise<Placed[]>;
  turn(request: TurnRequest): Promise<TurnResult>;
  /**
   * Runs `work` in one transaction; whatever it throws rolls it back. It may be run again where two transactions waited
   * for each other, so its effects must all be in the transaction. Longer than `limitMs` (a minute) is an error. `verb`
   * names what is done, for fail points and traces.
   */
  transaction<T>(verb: string, work: (tx: StoreTx) => Promise<T>, limitMs?: number): Promise<T>;
  /**
   * What a caller gave as `tx`: a transaction of this store as it is, or the steps on one that the caller opened with
   * its own client, whose commit then carries signals where it can. Anything else is refused.
   */
  join(given: unknown): Promise<StoreTx>;

  beat(worker: WorkerRow): Promise<{ known: boolean; cancels: RunningRow[] }>;
  /** Of these completions, the ones that are stored as done: asked after a commit whose answer never came. */
  confirmDone(worker: string, done: readonly Completion[]): Promise<Set<number>>;
  saveProgress(rows: readonly ProgressRow[]): Promise<void>;
  /** Merges the count rows and writes one summary event per queue that finished jobs since. */
  compact(): Promise<void>;

  /** Throws NESTED_TRANSACTION inside the callback of a transaction. */
  refuseNesting(): void;
  /** Whether an error means that the store is away for now, rather than that a statement was wrong. */
  isUnavailable(error: unknown): boolean;
  /**
   * Whether the store had no memory for what was asked at once. It was not done, and less of it may pass: so it is a
   * refusal to whoever writes, and not waited for as a store that is away.
   */
  hasNoRoom(error: unknown): boolean;
  signal(signal: Signal): void;
  onSignal(listener: (signal: Signal) => void): () => void;
  close(): Promise<void>;
}
