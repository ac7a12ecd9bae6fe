import { AndonError } from "@andon/contract";
import pg from "pg";
import type { Database, Session } from "../dialect.ts";
import type { Statement, Values } from "../statement.ts";
import { refuseNesting, withinTransaction } from "../transaction-scope.ts";
import { postgresDialect } from "./dialect.ts";
import { postgresSession, send } from "./session.ts";

export interface PostgresOptions {
  /** Most connections of this process. Default 10. */
  connections?: number | undefined;
}

/**
 * Planning a turn takes longer than running it, so plans are generic and kept. A plan that was made while the tables
 * were empty must still be right at a million rows: everything but the index is ruled out from the start.
 */
const PLANNER = [
  "plan_cache_mode=force_generic_plan",
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "enable_sort=off",
  "jit=off",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

const MOST_TRIES = 5;
/** A connection that is used now and then keeps its plans; to make one anew takes longer than any add or claim. */
const SPARE_FOR_MS = 60_000;

/** A pool whose connections pipeline, and the two ways to use one: an interactive transaction, or a flight. */
export class PostgresDatabase implements Database {
  readonly dialect = postgresDialect;
  readonly reader: Session;
  readonly pool: pg.Pool;
  #closed = false;

  constructor(url: string, options: PostgresOptions) {
    const config: pg.PoolConfig & { pipeline: boolean } = {
      connectionString: url,
      max: options.connections ?? 10,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: SPARE_FOR_MS,
      keepAlive: true,
      pipeline: true,
      application_name: "andon",
      // A process that is paused inside a transaction keeps its locks; a caller has 5 s, so after 10 s it is away.
      idle_in_transaction_session_timeout: 10_000,
      options: PLANNER,
    };
    this.pool = new pg.Pool(config);
    // An idle connection that the server closed must not end the process; the next use gets a new one.
    this.pool.on("error", () => {});
    // The same for one that is in use: its statements are told, and the pool listens only while it is idle.
    this.pool.on("connect", (client) => client.on("error", () => {}));
    this.reader = this.autocommit();
  }

  /** One statement, one transaction, one round trip. */
  autocommit(): Session {
    return {
      all: (statement, values) => this.withClient((client) => postgresSession(client).all(statement, values)),
      run: (statement, values) => this.withClient((client) => postgresSession(client).run(statement, values)),
      raw: (text, params) => this.withClient((client) => postgresSession(client).raw(text, params)),
    };
  }

  async transaction<T>(work: (session: Session) => Promise<T>, limitMs: number): Promise<T> {
    refuseNesting();
    return this.withClient(async (client) => {
      // Nobody needs its answer: it goes out with the first statement, and the commit's answer tells whether all went well.
      client.query("begin").catch(() => {});
      let open = true;
      const session = closing(postgresSession(client), () => open);
      try {
        const result = await withinTransaction(() => work(session), limitMs);
        open = false;
        const { command } = await client.query("commit");
        if (command !== "COMMIT") throw new AndonError("TRANSACTION_CLOSED");
        return result;
      } catch (error) {
        open = false;
        await client.query("rollback").catch(() => {});
        throw error;
      }
    });
  }

  /** A transaction whose statements are known beforehand goes out in one flight and costs one round trip. */
  async flight(steps: readonly (readonly [Statement, Values])[]): Promise<Record<string, unknown>[][]> {
    return this.withClient(async (client) => {
      const sent = [
        client.query("begin"),
        ...steps.map(([statement, values]) => send(client, statement, values)),
        client.query("commit"),
      ];
      const settled = await Promise.allSettled(sent);
      const refused = settled.find((result) => result.status === "rejected");
      if (refused) throw refused.reason;
      const results = settled.map((result) => (result as PromiseFulfilledResult<pg.QueryResult>).value);
      // A commit of a transaction that failed answers ROLLBACK, without an error.
      if (results.at(-1)?.command !== "COMMIT") throw new Error("the transaction was rolled back");
      return results.slice(1, -1).map((result) => result.rows);
    });
  }

  isDeadlock(error: unknown): boolean {
    const code = (error as { code?: unknown })?.code;
    return code === "40P01" || code === "40001";
  }

  /** Runs again what two transactions that waited for each other made fail; it must be one transaction. */
  async untangled<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === MOST_TRIES || !this.isDeadlock(error)) throw error;
      }
    }
  }

  isUnavailable(error: unknown): boolean {
    return isConnectionError(error);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.pool.end();
  }

  private async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw new AndonError("CLOSED");
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** The session of a transaction, which refuses statements that come after its end. */
function closing(session: Session, isOpen: () => boolean): Session {
  const checked = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new AndonError("TRANSACTION_CLOSED");
    return work();
  };
  return {
    all: (statement, values) => checked(() => session.all(statement, values)),
    run: (statement, values) => checked(() => session.run(statement, values)),
    raw: (text, params) => checked(() => session.raw(text, params)),
  };
}

/** Errors without an SQLSTATE come from the socket; class 08, 57P and 25P03 are the server hanging up. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof AndonError) return false;
  const code = (error as { code?: unknown })?.code;
  if (typeof code !== "string")
    return /connection|terminated|timeout/i.test(String((error as Error)?.message));
  return code.startsWith("08") || code.startsWith("57P") || code === "25P03" || /^E[A-Z]+$/.test(code);
}
