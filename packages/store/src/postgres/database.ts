import { AndonError, isAndonError } from "@andon/contract";
import pg from "pg";
import type { Database, Session } from "../dialect.ts";
import type { Statement, Values } from "../statement.ts";
import { refuseNesting, withinTransaction } from "../transaction-scope.ts";
import { type Obstacle, tryAgain } from "../try-again.ts";
import { connectionTo } from "./address.ts";
import { cancelStatement } from "./cancel-statement.ts";
import { ConnectionWatchdog } from "./connection-watchdog.ts";
import { postgresDialect } from "./dialect.ts";
import { endsConnection, hasNoRoom, isAway, isRefusal, obstacleOf } from "./faults.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import { type Author, Planner } from "./planner.ts";
import { postgresSession, send } from "./session.ts";
import { CLOSE_TIMEOUT_MS, destroyConnection } from "./socket.ts";

/** A statement that follows a lock must see what the lock waited for, whatever the server's default isolation is. */
const ISOLATION = "-c default_transaction_isolation=read\\ committed";

/** Limits for connecting, and the time after which the network is checked for an idle connection. */
const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** Errors while connecting: whatever the error, the server is unavailable and nothing was done. */
const unreached = new WeakSet<object>();
/**
 * A connection keeps its plans, and planning on a new one takes longer than any add or claim, so idle ones stay this
 * long.
 */
const SPARE_FOR_MS = 10_000;
/** One connection stays open, so that the first request after an idle hour need not connect. */
const KEPT_WARM = 1;

/**
 * A pool whose connections pipeline, and two ways to use one: an interactive transaction, or a flight (all statements
 * of a transaction sent at once).
 */
export class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly reader: Session;
  readonly scanner: Session;
  readonly pool: pg.Pool;
  readonly #url: string;
  readonly #watchdog: ConnectionWatchdog;
  /** Every connection with an open socket, including those that the pool has released for good. */
  readonly #open = new Set<pg.ClientBase>();
  /** Errors that a caller's own code threw in a transaction: whatever their code, they say nothing about the server. */
  readonly #callers = new WeakSet<object>();
  readonly #waiting = new Set<(refusal: AndonError) => void>();
  readonly #planners = new WeakMap<pg.ClientBase, Planner>();
  #closed = false;

  constructor(url: string, connections: number) {
    this.#url = url;
    const config: pg.PoolConfig & { pipeline: boolean } = {
      ...connectionTo(url, ISOLATION),
      max: connections,
      min: KEPT_WARM,
      ...CONNECTION_LIMITS,
      idleTimeoutMillis: SPARE_FOR_MS,
      pipeline: true,
      application_name: "andon",
      // A process paused inside a transaction keeps its locks. A caller's limit is 5 s, so after 10 s the server ends
      // the session.
      idle_in_transaction_session_timeout: 10_000,
    };
    this.pool = new pg.Pool(config);
    // The server closing an idle connection must not end the process; the next use opens a new one.
    this.pool.on("error", () => {});
    // The same for a connection in use: its statements fail by themselves, and the pool listens for errors only while
    // it is idle.
    this.pool.on("connect", (client) => {
      client.on("error", () => {});
      this.#planners.set(client, new Planner(client));
      this.#open.add(client);
      client.once("end", () => this.#open.delete(client));
    });
    this.#watchdog = new ConnectionWatchdog(url);
    this.reader = this.autocommit();
    // Long reads leave most of the connections to others.
    this.scanner = limitConcurrency(this.reader, Math.max(1, Math.floor(connections / 4)));
  }

  /** Calls `attend` for every open connection now, and for each new one before its first use. */
  onConnect(attend: (client: pg.ClientBase) => void): void {
    for (const client of this.#open) attend(client);
    this.pool.on("connect", attend);
  }

  /** One statement is one transaction and one round trip; a second one if the statement had to be prepared again. */
  autocommit(): Session {
    const alone = <T>(work: (session: Session) => Promise<T>) =>
      this.retryOnConflict(
        () => this.withClient((client) => work(postgresSession(client, this.#plannerOf(client)))),
        ["stale-plan"],
      );
    return {
      all: (statement, values) => alone((session) => session.all(statement, values)),
      run: (statement, values) => alone((session) => session.run(statement, values)),
      raw: (text, params) => alone((session) => session.raw(text, params)),
    };
  }

  async transaction<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T> {
    refuseNesting();
    return this.withClient(async (client) => {
      const planner = this.#plannerOf(client);
      let rolledBack: (() => void) | undefined;
      // The first statement begins the transaction; the answer to `commit` shows whether all statements succeeded.
      const plansFor = (author: Author) => {
        if (rolledBack) planner.plansFor(author);
        else rolledBack = planner.begin(author);
      };
      let open = true;
      const serverErrors = new WeakSet<object>();
      const session = closing(postgresSession(client, { plansFor }), () => open, serverErrors);
      try {
        const result = await withinTransaction(() => work(session), limitMs).catch((error) => {
          if (typeof error === "object" && error !== null && !serverErrors.has(error))
            this.#callers.add(error);
          throw error;
        });
        open = false;
        if (!rolledBack) return result;
        const { command } = await client.query("commit");
        if (command !== "COMMIT") throw new AndonError("TRANSACTION_CLOSED");
        return result;
      } catch (error) {
        open = false;
        if (!rolledBack) throw error;
        // A statement may be waiting for a lock that is held for long, with the rollback queued behind it.
        if (isAndonError(error, "TRANSACTION_TIMEOUT")) await cancelStatement(this.#url, client);
        const lost = await client.query("rollback").then(
          () => undefined,
          (reason: unknown) => reason,
        );
        rolledBack();
        // If the rollback fails too, the time-out was caused by a silent server, not by the transaction.
        throw lost && isAndonError(error, "TRANSACTION_TIMEOUT") ? lost : error;
      }
    });
  }

  /** A transaction whose statements are known in advance: all are sent at once, in one round trip. */
  async flight(steps: readonly (readonly [Statement, Values])[]): Promise<Record<string, unknown>[][]> {
    return this.withClient(async (client) => {
      this.#plannerOf(client).plansFor("store");
      const sent = [
        client.query("begin"),
        ...steps.map(([statement, values]) => send(client, statement, values)),
        client.query("commit"),
      ];
      const settled = await Promise.allSettled(sent);
      const refused = settled.find((result) => result.status === "rejected");
      if (refused) throw refused.reason;
      const results = settled.map((result) => (result as PromiseFulfilledResult<pg.QueryResult>).value);
      // The commit of a failed transaction answers ROLLBACK, without an error.
      if (results.at(-1)?.command !== "COMMIT") throw new Error("the transaction was rolled back");
      return results.slice(1, -1).map((result) => result.rows);
    });
  }

  obstacleOf(error: unknown): Obstacle | undefined {
    return obstacleOf(error);
  }

  /** Runs work again if another transaction was in its way; it must be a single transaction. */
  retryOnConflict<T>(
    work: () => Promise<T>,
    from: readonly Obstacle[] = ["deadlock", "locked", "stale-plan"],
  ): Promise<T> {
    return tryAgain(work, (error) => from.find((obstacle) => obstacle === obstacleOf(error)));
  }

  isUnavailable(error: unknown): boolean {
    if (this.#callers.has(error as object)) return false;
    return isAway(error) || unreached.has(error as object) || isAndonError(error, "STORE_UNAVAILABLE");
  }

  refuses(error: unknown): boolean {
    return !this.#callers.has(error as object) && isRefusal(error);
  }

  hasNoRoom(error: unknown): boolean {
    return hasNoRoom(error);
  }

  /** A caller waits to close: detects a silent server sooner. */
  hurry(): void {
    this.#watchdog.hurry();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.hurry();
    for (const refuse of this.#waiting) refuse(new AndonError("CLOSED"));
    this.#waiting.clear();
    const ended = this.pool.end();
    // If the server is silent, only connections that are still being opened remain; they time out by themselves.
    if (!this.#watchdog.isSilent) await ended;
    this.#watchdog.close();
    // A silent server does not close its side, and an open socket keeps the process from ending.
    setTimeout(() => {
      for (const client of this.#open) destroyConnection(client);
    }, CLOSE_TIMEOUT_MS).unref();
  }

  #plannerOf(client: pg.ClientBase): Planner {
    return this.#planners.get(client) as Planner;
  }

  private async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw new AndonError("CLOSED");
    const wait = this.#watchdog.begin();
    let broken: Error | undefined;
    try {
      wait.client = await this.connect();
      return await work(wait.client);
    } catch (error) {
      const isOurs = !this.#callers.has(error as object);
      // The connection is discarded: a late cancel must not hit the statement of its next user.
      const isCancelled = isAndonError(error, "TRANSACTION_TIMEOUT");
      if (wait.client && (isCancelled || (isOurs && endsConnection(error)))) broken = error as Error;
      throw error;
    } finally {
      this.#watchdog.end(wait);
      wait.client?.release(broken);
    }
  }

  /**
   * A pool that ends forgets callers that wait for a connection until their time-out of 10 s; `close` rejects them at
   * once.
   */
  private connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.pool.connect().then(
        (client) => {
          if (this.#waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error) => {
          this.#waiting.delete(reject);
          unreached.add(error);
          reject(error);
        },
      );
    });
  }
}

/**
 * The session of a transaction. It refuses statements after the end, and remembers the errors that the server reported.
 */
function closing(session: Session, isOpen: () => boolean, serverErrors: WeakSet<object>): Session {
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new AndonError("TRANSACTION_CLOSED");
    try {
      return await work();
    } catch (error) {
      serverErrors.add(error as object);
      throw error;
    }
  };
  return {
    all: (statement, values) => checked(() => session.all(statement, values)),
    run: (statement, values) => checked(() => session.run(statement, values)),
    raw: (text, params) => checked(() => session.raw(text, params)),
  };
}
