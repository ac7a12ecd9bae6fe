import type { Clock } from "./clock.ts";
import type { TimesRow } from "./history-rows.ts";
import type { FleetState, FleetStateRequest } from "./housekeeping.ts";
import type {
  Completion,
  FinishAndClaimRequest,
  FinishAndClaimResult,
  NewJob,
  Placed,
  RunningRow,
} from "./rows.ts";
import type { Signal } from "./signal.ts";
import type { ProgressRow, StoreReader, WorkerRow } from "./store-reader.ts";
import type { StoreTx } from "./store-tx.ts";

export type * from "./bulk-rows.ts";
export type * from "./decision-rows.ts";
export type * from "./history-rows.ts";
export type * from "./housekeeping.ts";
export type * from "./operation-rows.ts";
export type * from "./operator-rows.ts";
export type * from "./reading-rows.ts";
export type * from "./rows.ts";
export type * from "./signal.ts";
export type * from "./store-reader.ts";
export type * from "./store-tx.ts";

/** A set of migrations: the engine's own, the host's, or an app's. Files are `NNN-name.sql`. */
export interface MigrationSet {
  readonly name: string;
  /** A folder with the subfolders `sqlite` and `postgres`, the same files in both. */
  readonly folder: URL;
}

export interface Store {
  readonly clock: Clock;
  /**
   * How many finish-and-claim requests of one queue are worth having under way at once: 1 if the store has one writer.
   */
  readonly parallelRequests: number;
  /**
   * How often a worker at rest beats, in milliseconds, so that others know that it is alive; null if the database
   * reports connections, and no beat is needed.
   */
  readonly restingBeatMs: number | null;
  readonly read: StoreReader;
  /** Creates or updates tables, the engine's own unless others are named; safe when many processes start at once. */
  migrate(sets?: readonly MigrationSet[]): Promise<void>;
  /** A caller's own read of committed rows, outside any transaction. `$1` placeholders on both databases. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The same for a list or a search that may read many rows: nothing else in this process waits for it. */
  scan<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Throws if the store does not answer, or is known to take no writes. */
  ready(): Promise<void>;
  ensureQueue(name: string): Promise<void>;
  /** Assigns their tenant's share to waiting jobs that were added before their queue was shared fairly. */
  shareOut(queue: string): Promise<void>;

  /**
   * Stores jobs of one queue in a transaction of its own, and signals the workers. It waits for a lane that another
   * transaction has locked only if `mayWait`, and never while it has locked other lanes; otherwise it throws an error
   * for which `isLocked` is true.
   */
  enqueue(queue: string, serial: boolean, jobs: readonly NewJob[], mayWait: boolean): Promise<Placed[]>;
  finishAndClaim(request: FinishAndClaimRequest): Promise<FinishAndClaimResult>;
  /**
   * Writes a completion that a request deferred, by itself: it waits briefly for its lanes, and blocks nothing else
   * meanwhile.
   */
  finishLate(queue: string, worker: string, completion: Completion): Promise<"done" | "refused" | "deferred">;
  /** Moves the stamp by which a limiter counts a worker's claim; false if there is no claim with that stamp. */
  stampStarts(queue: string, worker: string, from: number, to: number): Promise<boolean>;
  /**
   * Runs `work` in one transaction; if it throws, the transaction is rolled back. It may run again after a deadlock, so
   * all its effects must be in the transaction. A transaction longer than `limitMs` (default: a minute) is an error.
   * `verb` names the operation, for fail points and traces.
   */
  transaction<T>(verb: string, work: (tx: StoreTx) => Promise<T>, limitMs?: number): Promise<T>;
  /**
   * The steps on what a caller gave as `tx`: a transaction of this store, or one that the caller opened with its own
   * client, whose commit then sends the signals if it can. Anything else is refused.
   */
  join(given: unknown): Promise<StoreTx>;

  /** One statement that only reads, whatever the number of queues. */
  look(request: FleetStateRequest): Promise<FleetState>;
  /** Takes the post from the holder of this term, or a free post (`null`); false if another process was faster. */
  takePost(role: string, worker: string, term: number | null): Promise<boolean>;
  /** False if another process has the post by now. */
  beatPost(role: string, worker: string, term: number): Promise<boolean>;
  leavePost(role: string, worker: string, term: number): Promise<void>;

  beat(worker: WorkerRow): Promise<{ known: boolean; cancels: RunningRow[] }>;
  /** Of these completions, the ones that are stored as done: read after a commit whose answer was lost. */
  confirmDone(worker: string, done: readonly Completion[]): Promise<Set<number>>;
  /** Writes the progress of jobs whose claims still hold, with an event for each. */
  saveProgress(rows: readonly ProgressRow[]): Promise<void>;
  /**
   * Reserves `ms` of the time that all bulk jobs of a queue share, and returns when that time has passed. A reservation
   * more than `most` ahead of the clock was made before the clock was set back.
   */
  reserveBulk(queue: string, ms: number, credit: number, most: number): Promise<number>;
  /** Yields to the event loop of this process, if statements of this store block it. */
  giveWay(): Promise<void>;
  /** Writes how long jobs waited and ran, by queue and minute; the merge adds it to the history. */
  saveTimes(rows: readonly TimesRow[]): Promise<void>;
  /** Merges the count rows and writes one summary event per queue that finished jobs since. */
  compact(): Promise<void>;

  /** Throws NESTED_TRANSACTION inside the callback of a transaction. */
  refuseNesting(): void;
  /** Whether an error means that the store is unavailable for now, rather than that a statement was wrong. */
  isUnavailable(error: unknown): boolean;
  /** Whether an error means that another transaction kept rows locked; nothing was done. */
  isLocked(error: unknown): boolean;
  /** Whether an error means that the data cannot be stored, however often it is tried; nothing was done. */
  refuses(error: unknown): boolean;
  /**
   * Whether the store had too little memory for the request. Nothing was done, and a smaller request may succeed: so a
   * writer treats it as a refusal, and does not wait as for an unavailable store.
   */
  hasNoRoom(error: unknown): boolean;
  signal(signal: Signal): void;
  onSignal(listener: (signal: Signal) => void): () => void;
  close(): Promise<void>;
}
