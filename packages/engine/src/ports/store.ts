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

/** Where a set of migrations lives: the engine's own, the host's, or an app's. Files are `NNN-name.sql`. */
export interface MigrationSet {
  readonly name: string;
  /** A folder with the subfolders `sqlite` and `postgres`, the same files in both. */
  readonly folder: URL;
}

export interface Store {
  readonly clock: Clock;
  /** How many finish-and-claim requests of one queue are worth having under way at once: 1 where there is one writer. */
  readonly parallelRequests: number;
  /**
   * How often a worker without anything at work beats, in milliseconds, for the others to know that it lives; null where the
   * database tells who is connected, and then it need not.
   */
  readonly restingBeatMs: number | null;
  readonly read: StoreReader;
  /** Creates or updates tables, the engine's own unless others are named; safe when many processes start at once. */
  migrate(sets?: readonly MigrationSet[]): Promise<void>;
  /** A caller's own look at committed rows, outside any transaction. `$1` placeholders on both databases. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** The same for a list or a search that may read many rows: nobody else of this process waits for it. */
  scan<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** Throws where the store does not answer, or is known to take no writes. */
  ready(): Promise<void>;
  ensureQueue(name: string): Promise<void>;
  /** Gives waiting jobs that were added before their queue was shared fairly their tenant's share. */
  shareOut(queue: string): Promise<void>;

  /**
   * Stores jobs of one queue in a transaction of its own, and tells the workers. A lane that somebody else keeps locked is waited for only where
   * the caller `mayWait`, and never while other lanes are held; otherwise `isLocked` tells the error.
   */
  enqueue(queue: string, serial: boolean, jobs: readonly NewJob[], mayWait: boolean): Promise<Placed[]>;
  finishAndClaim(request: FinishAndClaimRequest): Promise<FinishAndClaimResult>;
  /** Writes a completion that a request deferred, by itself: it waits a little for its lanes, and holds up nobody meanwhile. */
  finishLate(queue: string, worker: string, completion: Completion): Promise<"done" | "refused" | "deferred">;
  /** Moves the stamp by which a limiter counts a worker's claim; false where there is no claim with that stamp. */
  stampStarts(queue: string, worker: string, from: number, to: number): Promise<boolean>;
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

  /** One statement that only reads, whatever the number of queues. */
  look(request: FleetStateRequest): Promise<FleetState>;
  /** Takes the post from the holder of this term, or where nobody has it (`null`); false where another was quicker. */
  takePost(role: string, worker: string, term: number | null): Promise<boolean>;
  /** False where the post is another's by now. */
  beatPost(role: string, worker: string, term: number): Promise<boolean>;
  leavePost(role: string, worker: string, term: number): Promise<void>;

  beat(worker: WorkerRow): Promise<{ known: boolean; cancels: RunningRow[] }>;
  /** Of these completions, the ones that are stored as done: asked after a commit whose answer never came. */
  confirmDone(worker: string, done: readonly Completion[]): Promise<Set<number>>;
  /** Writes the progress of jobs whose claims stand, and tells the feed of each. */
  saveProgress(rows: readonly ProgressRow[]): Promise<void>;
  /**
   * Takes `ms` of the time that all bulk jobs of a queue share, and returns when it has passed. What is more than `most` ahead of
   * the clock was taken before the clock was set back.
   */
  reserveBulk(queue: string, ms: number, credit: number, most: number): Promise<number>;
  /** Lets what waits for the event loop of this process have its turn, where statements of this store keep the loop busy. */
  giveWay(): Promise<void>;
  /** Writes how long jobs waited and ran, by queue and minute; the merge adds it to the history. */
  saveTimes(rows: readonly TimesRow[]): Promise<void>;
  /** Merges the count rows and writes one summary event per queue that finished jobs since. */
  compact(): Promise<void>;

  /** Throws NESTED_TRANSACTION inside the callback of a transaction. */
  refuseNesting(): void;
  /** Whether an error means that the store is away for now, rather than that a statement was wrong. */
  isUnavailable(error: unknown): boolean;
  /** Whether an error means that another transaction kept rows locked; nothing was done. */
  isLocked(error: unknown): boolean;
  /** Whether an error means that what was to be written cannot be stored, however often it is tried. It was not done. */
  refuses(error: unknown): boolean;
  /**
   * Whether the store had no memory for what was asked at once. It was not done, and less of it may pass: so it is a
   * refusal to whoever writes, and not waited for as a store that is away.
   */
  hasNoRoom(error: unknown): boolean;
  signal(signal: Signal): void;
  onSignal(listener: (signal: Signal) => void): () => void;
  close(): Promise<void>;
}
