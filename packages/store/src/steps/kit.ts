import type { Dialect, Session } from "../dialect.ts";
import { compile, type Statement } from "../statement.ts";

/** What every step needs: the connection it runs on, the dialect, and the time of the transaction. */
export interface StepContext {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly now: number;
}

type Source = (dialect: Dialect) => string;

const sources = new Map<string, Source>();

/** A shared statement: one text for both databases, written with the few members of the dialect that differ. */
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

/** Every shared statement with its name: rendered to packages/store/queries. */
export function sharedStatements(): ReadonlyMap<string, Source> {
  return sources;
}

const MOST_IN_FLIGHT = 200;

/**
 * Does the same for many, without waiting for an answer before the next is sent: PostgreSQL's connections pipeline, and
 * 10,000 rows would otherwise be as many round trips. What is sent first is done first.
 */
export async function eachInFlight<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += MOST_IN_FLIGHT)
    await Promise.all(items.slice(from, from + MOST_IN_FLIGHT).map(work));
}
