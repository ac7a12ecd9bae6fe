import type { Session } from "../dialect.ts";
import { bind, type Statement, type Values } from "../statement.ts";
import { CallersStatement } from "./callers-statement.ts";
import type { SqliteConnection, SqliteStatement } from "./driver.ts";

/** The most callers' texts that are kept prepared. */
const MOST_RAW = 1_000;

/** A connection with its prepared statements. Its methods are synchronous: the hot verbs call them row by row. */
export class SyncSession {
  readonly connection: SqliteConnection;
  readonly #prepared = new Map<string, SqliteStatement>();
  readonly #inArrays = new Map<string, SqliteStatement>();
  readonly #raw = new Map<string, CallersStatement>();

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  prepare(text: string): SqliteStatement {
    let prepared = this.#prepared.get(text);
    if (!prepared) {
      prepared = this.connection.prepare(text);
      this.#prepared.set(text, prepared);
    }
    return prepared;
  }

  /** Returns rows as arrays: an object with many columns is a hash table, and reading a claim from one took 2 µs. */
  arrays(text: string, ...params: unknown[]): unknown[][] {
    let prepared = this.#inArrays.get(text);
    if (!prepared) {
      prepared = this.connection.prepare(text);
      prepared.setReturnArrays?.(true);
      this.#inArrays.set(text, prepared);
    }
    const rows = prepared.all(...params);
    return prepared.setReturnArrays ? (rows as unknown[][]) : rows.map((row) => Object.values(row as object));
  }

  all<Row>(statement: Statement, values: Values): Row[] {
    return this.prepare(statement.text).all(...bind(statement, values)) as Row[];
  }

  run(statement: Statement, values: Values): number {
    return Number(this.prepare(statement.text).run(...bind(statement, values)).changes);
  }

  raw<Row>(text: string, params: readonly unknown[]): Row[] {
    let prepared = this.#raw.get(text);
    if (!prepared) {
      prepared = new CallersStatement(this.connection, text);
      // A caller that writes values into the text sends a new text every time.
      if (this.#raw.size >= MOST_RAW) this.#raw.clear();
      this.#raw.set(text, prepared);
    }
    return prepared.all(params) as Row[];
  }
}

/** The same with promises, for the shared statements. `check` runs before each statement. */
export function sqliteSession(sync: SyncSession, check: () => void): Session {
  const checked = async <T>(work: () => T): Promise<T> => {
    check();
    return work();
  };
  return {
    check,
    all: (statement, values) => checked(() => sync.all(statement, values)),
    run: (statement, values) => checked(() => sync.run(statement, values)),
    raw: (text, params) => checked(() => sync.raw(text, params)),
  };
}
