import type { Statement, Values } from "./statement.ts";
import type { Obstacle } from "./try-again.ts";

/** One connection, inside or outside a transaction. */
export interface Session {
  all<Row>(statement: Statement, values: Values): Promise<Row[]>;
  /** Returns the number of rows changed. */
  run(statement: Statement, values: Values): Promise<number>;
  /** Runs a caller's own statement, with `$1` placeholders. */
  raw<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /** Throws if the session's transaction has ended. For verbs that use the connection directly. */
  check?(): void;
}

/** All differences between the two databases outside the hot verbs. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly mark: "$" | "?";
  /** Row lock clause for the end of a select. */
  readonly forUpdate: string;
  readonly forUpdateSkipLocked: string;
  /**
   * `column ${d.among(…)}`: one of these values. Both databases use an index for it, whatever the planner's statistics
   * say.
   */
  among(parameter: string, type: "bigint" | "text"): string;
  /** Like `among`, with the values from a subquery of one column that returns few rows. */
  amongRows(select: string): string;
  array(values: readonly unknown[]): unknown;
  /** A list of texts as a table with the column `name`; the alias must follow. */
  rows(parameter: string): string;
  /** Expression for the database's time in milliseconds; 0 if the process uses its own clock. */
  readonly time: string;
  /** Selects the ids of workers that have an open connection; null: the database does not know. */
  readonly connectedWorkers: string | null;
  /**
   * Locks a queue against claims (exclusive) or against its stop (share) and returns its row. From then on the
   * transaction waits for any other lock for at most LOCK_TIMEOUT_MS, until `endLockTimeout`, because the whole queue
   * waits for its end.
   */
  readonly lockQueueShare: string;
  readonly lockQueueExclusive: string;
  /** Ends the limit set by `lockQueue…`, for the locks taken just before the commit; null: there is no limit. */
  readonly endLockTimeout: string | null;
  /** Tries to become the only transaction that promotes due jobs of a queue; null: there can be no other. */
  readonly promotionLock: string | null;
  /**
   * `from ${d.records(…)}`: a table `r` with many rows from one parameter, a JSON array of objects, in the order of
   * `r.n`.
   */
  records(parameter: string, columns: Readonly<Record<string, "bigint" | "text">>): string;
  /** Reserves `@count` numbers of the jobs' sequence and returns the last; null if `setTickets` draws them itself. */
  readonly reserveNumbers: string | null;
  /** Gives the jobs at `@positions` new tickets in that order; the last is `@last`. */
  readonly setTickets: string;
  /**
   * Taken just before rows of the feed are written, so that their ids follow the order of commits; null: not needed.
   */
  readonly feedLock: string | null;
  /** Returns no row, and fails while the store accepts no writes (on SQLite only a write would show that). */
  readonly ready: string;
  /** Sends a signal when the transaction commits; null: not supported. */
  readonly notify: string | null;
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads outside any transaction. */
  readonly reader: Session;
  /** Reads many rows outside any transaction, without blocking other work of this process. */
  readonly scanner: Session;
  transaction<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T>;
  /** Why a transaction was rolled back that may be run again. */
  obstacleOf(error: unknown): Obstacle | undefined;
  isUnavailable(error: unknown): boolean;
  refuses(error: unknown): boolean;
  hasNoRoom(error: unknown): boolean;
  close(): Promise<void>;
}
