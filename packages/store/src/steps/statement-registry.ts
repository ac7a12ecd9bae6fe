import type { Dialect, Session } from "../dialect.ts";
import { compile, type Statement } from "../statement.ts";

/** What every step needs: its connection, the dialect, and the time of the transaction. */
export interface StepContext {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly now: number;
}

type Source = (dialect: Dialect) => string;

const sources = new Map<string, Source>();

/** A shared statement: one text for both databases, using the dialect for the parts that differ. */
export function shared(name: string, source: Source): (dialect: Dialect) => Statement {
  sources.set(name, source);
  return perDialect(source);
}

/** Compiles a text once per dialect. */
export function perDialect(source: Source): (dialect: Dialect) => Statement {
  const compiled = new Map<Dialect, Statement>();
  return (dialect) => {
    const known = compiled.get(dialect);
    if (known) return known;
    const statement = compile(source(dialect), dialect.mark);
    compiled.set(dialect, statement);
    return statement;
  };
}

/** Every shared statement by name, for rendering to packages/store/queries. */
export function sharedStatements(): ReadonlyMap<string, Source> {
  return sources;
}

const MOST_AT_ONCE = 200;

/**
 * Processes many rows in batches: on SQLite the event loop gets turns in between. All batches are sent before the first
 * is answered, since PostgreSQL's connections pipeline; they run in the order of sending.
 */
export async function eachBatch<T>(
  rows: readonly T[],
  work: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < rows.length; from += MOST_AT_ONCE)
    sent.push(work(rows.slice(from, from + MOST_AT_ONCE)));
  await Promise.all(sent);
}
