import { AndonError } from "@andon/contract/plain";
import type { SqliteConnection, SqliteStatement } from "./driver.ts";

/** What the driver says of an integer that no `number` can hold, where it was not told to read bigints. */
const TOO_LARGE = /too large to be represented as a JavaScript number/;
const PARAMETER = /\?\d*|[:@$#]\w+/y;
/** What does nothing. A comment need not be closed. */
const NOTHING = /[\s;]+|--[^\n]*|\/\*.*?(?:\*\/|$)/sy;
const READS = /^\s*(?:select|values)\b/i;
/** A `with` that only reads; a word in a text or a name may be mistaken for a write, which costs time and nothing else. */
const READS_WITH = /^\s*with\b(?!.*\b(?:insert|update|delete|replace)\b)/is;

/**
 * A caller's text, prepared. An integer that no `number` can hold is returned as bigint. To read all integers as bigints
 * and turn them back takes 20 to 60 % longer, so a text that only reads does so from the first large one on, and is run
 * again for that. A text that writes must not be run again: it reads bigints from the start.
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
 * Where the statement that was prepared ends: SQLite takes the first of a text and ignores the others. `prepared` is that
 * first one in SQLite's own copy, where every parameter is written as NULL; nothing else differs.
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

/** Whether something that does something follows. */
function hasMore(text: string, from: number): boolean {
  let at = from;
  for (let next = at; at < text.length; at = next) {
    next = passed(NOTHING, text, at);
    if (next === at) return true;
  }
  return false;
}

/** The place behind what the pattern finds exactly here; the same place where it finds nothing. */
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
