import { AndonError } from "@andon/contract/plain";
import type { SqliteConnection, SqliteStatement } from "./driver.ts";

/** The driver's error for an integer that a `number` cannot hold, while bigints are not enabled. */
const TOO_LARGE = /too large to be represented as a JavaScript number/;
const PARAMETER = /\?\d*|[:@$#]\w+/y;
/** Text without effect. A comment need not be closed. */
const NOTHING = /[\s;]+|--[^\n]*|\/\*.*?(?:\*\/|$)/sy;
const READS = /^\s*(?:select|values)\b/i;
/**
 * A `with` that only reads. A word inside a string or a name may look like a write, which costs time but does no harm.
 */
const READS_WITH = /^\s*with\b(?!.*\b(?:insert|update|delete|replace)\b)/is;

/**
 * A caller's prepared text. An integer that a `number` cannot hold is returned as bigint. Reading all integers as
 * bigints and converting them takes 20 to 60 % longer, so a text that only reads does so only after its first large
 * integer, and is then run again. A text that writes must not run twice, so it reads bigints from the start.
 */
export class CallersStatement {
  readonly #statement: SqliteStatement;
  #readsBigInts: boolean;

  /** `text` has `$1` placeholders. */
  constructor(connection: SqliteConnection, text: string) {
    const sent = text.replace(/\$(\d+)/g, "?$1");
    this.#statement = connection.prepare(sent);
    if (hasMore(sent, endOf(sent, this.#statement.expandedSQL ?? sent)))
      throw new AndonError("SEVERAL_STATEMENTS");
    this.#readsBigInts = !READS.test(text) && !READS_WITH.test(text);
    this.#statement.setReadBigInts(this.#readsBigInts);
  }

  all(params: readonly unknown[]): unknown[] {
    const given = params.map(plain);
    if (!this.#readsBigInts) {
      try {
        return this.#statement.all(...given);
      } catch (error) {
        if (!TOO_LARGE.test(String((error as Error)?.message))) throw error;
        this.#readsBigInts = true;
        this.#statement.setReadBigInts(true);
      }
    }
    const rows = this.#statement.all(...given) as Record<string, unknown>[];
    for (const row of rows) shorten(row);
    return rows;
  }
}

/**
 * Where the prepared statement ends: SQLite prepares the first statement of a text and ignores the rest. `prepared` is
 * SQLite's own copy of that statement, in which every parameter is written as NULL; nothing else differs.
 */
function endOf(sent: string, prepared: string): number {
  let at = 0;
  for (let seen = 0; seen < prepared.length; ) {
    if (sent[at] === prepared[seen]) {
      at++;
      seen++;
    } else {
      at = passed(PARAMETER, sent, at);
      seen += "NULL".length;
    }
  }
  return at;
}

/** Whether the text has another statement from this place on. */
function hasMore(text: string, from: number): boolean {
  let at = from;
  for (let next = at; at < text.length; at = next) {
    next = passed(NOTHING, text, at);
    if (next === at) return true;
  }
  return false;
}

/** The index after a match of the pattern at exactly this place; the same index without a match. */
function passed(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function shorten(row: Record<string, unknown>): void {
  for (const column in row) {
    const value = row[column];
    if (typeof value !== "bigint") continue;
    const short = Number(value);
    if (Number.isSafeInteger(short)) row[column] = short;
  }
}

function plain(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.getTime();
  return value === undefined ? null : value;
}
