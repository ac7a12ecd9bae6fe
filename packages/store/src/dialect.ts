import type { Statement, Values } from "./statement.ts";
import type { Obstacle } from "./try-again.ts";

/** One connection, inside a transaction or outside of one. */
export interface Session {
  all<Row>(statement: Statement, values: Values): Promise<Row[]>;
  /** How many rows it changed. */
  run(statement: Statement, values: Values): Promise<number>;
  /** A caller's own statement, with `$1` placeholders. */
  raw<Row>(text: string, params: readonly unknown[]): Promise<Row[]>;
  /** Throws where its transaction has ended; for verbs that go to the connection themselves. */
  check?(): void;
}

/** All that differs between the two databases outside of the hot verbs. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly mark: "$" | "?";
  /** Row locks at the end of a select. */
  readonly forUpdate: string;
  readonly forUpdateSkipLocked: string;
  /** `column ${d.among(…)}`: one of these values. An index serves it on both, whatever the planner believes of the table. */
  among(parameter: string, type: "bigint" | "text"): string;
  /** The same for the one column of a small subquery. */
  amongRows(select: string): string;
  array(values: readonly unknown[]): unknown;
  /** A list of texts as a table with the column `name`; its alias follows. */
  rows(parameter: string): string;
  /** The database's own time in milliseconds; 0 where the machine's is meant. */
  readonly time: string;
  /** Worker ids whose connection stands; null: the database does not tell. */
  readonly connectedWorkers: string | null;
  /**
   * Locks a queue against claims (exclusive) or against its stop (share) and returns its row. From then on the transaction
   * waits for no other lock longer than LOCK_PATIENCE_MS, until `endPatience`: its end is what the whole queue waits for.
   */
  readonly lockQueueShare: string;
  readonly lockQueueExclusive: string;
  /** Ends the limit of `lockQueue…`, for the locks taken just before the commit; null: there is none. */
  readonly endPatience: string | null;
  /** Tries to become the one transaction that puts due jobs of a queue in line; null: there can be no other. */
  readonly promotionLock: string | null;
  /** `from ${d.records(…)}`: a table `r` of many rows in one parameter, a JSON array of objects, in the order of `r.n`. */
  records(parameter: string, columns: Readonly<Record<string, "bigint" | "text">>): string;
  /** Reserves `@count` numbers of the jobs' sequence and returns the last; null where `setTickets` draws them itself. */
  readonly reserveNumbers: string | null;
  /** Gives the jobs at `@positions` new tickets in that order, up to `@last`. */
  readonly setTickets: string;
  /** Taken just before rows of the feed are written, so that their ids follow the order of commits; null: not needed. */
  readonly feedLock: string | null;
  /** Reads nothing, and throws where the store cannot be written for now; on SQLite only a write would tell. */
  readonly ready: string;
  /** A signal that leaves with the commit of the transaction it is written in; null: not to be had. */
  readonly notify: string | null;
}

export interface Database {
  readonly dialect: Dialect;
  /** Reads outside of any transaction. */
  readonly reader: Session;
  /** Reads of very many rows, outside of any transaction: whatever they take, the others of this process go on. */
  readonly scanner: Session;
  transaction<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T>;
  /** What was in the way of a transaction that was undone and may be run again. */
  obstacleOf(error: unknown): Obstacle | undefined;
  isUnavailable(error: unknown): boolean;
  refuses(error: unknown): boolean;
  hasNoRoom(error: unknown): boolean;
  close(): Promise<void>;
}
