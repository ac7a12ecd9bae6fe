import { AndonError, isAndonError } from "@andon/contract";
import type { Database, Session } from "../dialect.ts";
import { refuseNesting, withinTransaction } from "../transaction-scope.ts";
import { sqliteDialect } from "./dialect.ts";
import { openSqlite } from "./driver.ts";
import { hasNoRoom, isAway, isBusy, isRefusal } from "./faults.ts";
import { Mutex } from "./mutex.ts";
import { ReaderThread, threadSession } from "./reader-thread.ts";
import { SyncSession, sqliteSession } from "./session.ts";
import { SharedCommits } from "./shared-commits.ts";
import { yieldingSession } from "./yielding-session.ts";

export interface SqliteOptions {
  /** `full` survives a power cut after every commit; `normal` may lose the last few, never corrupts. Default `full`. */
  synchronous?: "full" | "normal" | undefined;
}

/**
 * One writing connection behind a mutex, so that a write cannot join another caller's open transaction, and one that
 * only reads. Reads of many rows run in a separate thread, because they would block all other work of this process.
 * Between processes the file's lock decides: a process that finds it taken retries after up to two milliseconds,
 * without blocking the event loop (waiting inside SQLite lets one process monopolise the file).
 */
export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly reader: Session;
  readonly scanner: Session;
  readonly writer: SyncSession;
  readonly #reading: SyncSession;
  readonly #mutex = new Mutex();
  readonly #commits: SharedCommits;
  readonly #thread: ReaderThread;
  #closed = false;

  private constructor(path: string, writer: SyncSession, reading: SyncSession) {
    this.writer = writer;
    this.#reading = reading;
    const control = {
      begin: () => this.#begin(),
      commit: () => this.#commit(),
      rollback: () => this.#rollback(),
      mark: () => void writer.prepare("savepoint andon_write").run(),
      keep: () => void writer.prepare("release andon_write").run(),
      undo: () => writer.connection.exec("rollback to andon_write; release andon_write"),
    };
    this.#commits = new SharedCommits(writer, control, this.#mutex);
    const retrying = async <T>(work: () => T) => {
      this.#refuseWhenClosed();
      return retryWhileBusy(work);
    };
    this.#thread = new ReaderThread(path);
    this.scanner = threadSession(this.#thread, () => this.#refuseWhenClosed());
    this.reader = {
      all: (statement, values) => retrying(() => reading.all(statement, values)),
      run: (statement, values) => retrying(() => reading.run(statement, values)),
      raw: (text, params) => retrying(() => reading.raw(text, params)),
    };
  }

  static async open(path: string, options: SqliteOptions): Promise<SqliteDatabase> {
    const connection = await openSqlite(path, { readOnly: false });
    const writer = new SyncSession(connection);
    await retryWhileBusy(() => connection.exec("pragma journal_mode = wal"));
    connection.exec(`pragma synchronous = ${options.synchronous ?? "full"}`);
    connection.exec("pragma cache_size = -65536");
    // Keeps the journal of savepoints in memory too: from 64 kB on, each savepoint wrote a file of its own.
    connection.exec("pragma temp_store = memory");
    const reading = new SyncSession(await openSqlite(path, { readOnly: true }));
    // Reading a thousand jobs of a large store touches as many pages: 6 ms with SQLite's default 2 MB, 2 ms with these
    // 32 MB.
    reading.connection.exec("pragma cache_size = -32768");
    return new SqliteDatabase(path, writer, reading);
  }

  /** A synchronous write, in a transaction that it may share with others. The hot verbs run this way. */
  immediate<T>(write: (session: SyncSession) => T): Promise<T> {
    refuseNesting();
    return this.#commits.run(write);
  }

  /** A caller's transaction; it may share its commit with others, isolated from them. */
  transaction<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T> {
    refuseNesting();
    return this.#commits.runLong(async () => {
      let open = true;
      const check = () => {
        if (!open) throw new AndonError("TRANSACTION_CLOSED");
      };
      // Other writes wait behind the mutex meanwhile.
      const session = yieldingSession(sqliteSession(this.writer, check));
      try {
        return await withinTransaction(() => work(session), limitMs);
      } finally {
        open = false;
      }
    });
  }

  /**
   * Changes when another connection, of this or another process, commits; undefined if it cannot be read at the moment.
   */
  dataVersion(): number | undefined {
    try {
      return (this.writer.prepare("pragma data_version").get() as { data_version: number }).data_version;
    } catch {
      return undefined;
    }
  }

  /**
   * There is one writer at a time, so transactions cannot collide; the begin of a transaction waits for a file that
   * others keep locked.
   */
  obstacleOf(): undefined {
    return undefined;
  }

  isUnavailable(error: unknown): boolean {
    return isBusy(error) || isAway(error) || isAndonError(error, "STORE_UNAVAILABLE");
  }

  refuses(error: unknown): boolean {
    return isRefusal(error);
  }

  hasNoRoom(error: unknown): boolean {
    return hasNoRoom(error);
  }

  async close(): Promise<void> {
    await this.#thread.close();
    await this.#mutex.run(() => {
      this.#closed = true;
      this.#reading.connection.close();
      this.#emptyLog();
      this.writer.connection.close();
    });
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new AndonError("CLOSED");
  }

  async #begin(): Promise<void> {
    this.#refuseWhenClosed();
    await retryWhileBusy(() => this.writer.prepare("begin immediate").run());
  }

  async #commit(): Promise<void> {
    await retryWhileBusy(() => this.writer.prepare("commit").run());
  }

  /**
   * Writes the log into the file, so that a copy of the file is complete. Closing does so too, but not with the driver
   * of Node 20, which leaves a connection with prepared statements half open.
   */
  #emptyLog(): void {
    try {
      this.writer.connection.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // Another process is using it, or the disk is full: the log stays, and the next process to open the file reads
      // it.
    }
  }

  #rollback(): void {
    try {
      this.writer.connection.exec("rollback");
    } catch {
      // SQLite has already rolled back (disk full, I/O error).
    }
  }
}

const LONGEST_WAIT_MS = 30_000;

export async function retryWhileBusy<T>(work: () => T, limitMs = LONGEST_WAIT_MS): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - started > limitMs) {
        throw new AndonError(
          "STORE_UNAVAILABLE",
          { problem: "the SQLite file stayed locked" },
          { cause: error },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
    }
  }
}
