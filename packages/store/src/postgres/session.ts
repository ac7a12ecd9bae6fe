import pg from "pg";
import type { Session } from "../dialect.ts";
import { bind, type Statement, type Values } from "../statement.ts";

const INT8 = 20;

/** Numbers of the store stay below 2^53, so that they can be plain numbers on both databases. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 && format !== "binary" ? Number : (pg.types.getTypeParser(oid, format as "text") as never),
};

/** What the store needs of a PostgreSQL client, its own or a caller's. */
export interface PostgresClient {
  query(
    query: string | { name?: string; text: string; values: unknown[]; types?: pg.CustomTypesConfig },
  ): Promise<{
    rows: unknown[];
    rowCount: number | null;
    command: string;
  }>;
}

export function postgresSession(client: PostgresClient): Session {
  return {
    all: async <Row>(statement: Statement, values: Values) =>
      (await send(client, statement, values)).rows as Row[],
    run: async (statement, values) => (await send(client, statement, values)).rowCount ?? 0,
    raw: async <Row>(text: string, params: readonly unknown[]) =>
      (await client.query({ ...named(text), text, values: [...params], types: typeParsers })).rows as Row[],
  };
}

export function send(client: PostgresClient, statement: Statement, values: Values) {
  return client.query({
    name: statement.name,
    text: statement.text,
    values: bind(statement, values),
    types: typeParsers,
  });
}

/** As many texts of callers as are kept prepared on each connection. */
const MOST_NAMED = 256;
/** A text that comes this often is worth keeping. */
const OFTEN = 8;
/** What a star stands for changes with a migration, and a prepared statement cannot. */
const STAR = /(select|distinct|,|\.|returning)\s*\*/i;

const seen = new Map<string, number>();
const names = new Map<string, string>();

/**
 * Callers' statements have no names of their own. Of those that come again and again the plan is kept, as of ours: to
 * make it takes longer than to run it.
 */
function named(text: string): { name?: string } {
  const name = names.get(text);
  if (name !== undefined) return { name };
  if (names.size >= MOST_NAMED || STAR.test(text)) return {};
  const times = (seen.get(text) ?? 0) + 1;
  if (times < OFTEN) {
    if (seen.size >= MOST_NAMED) seen.clear();
    seen.set(text, times);
    return {};
  }
  seen.delete(text);
  names.set(text, `andon_raw_${names.size}`);
  return { name: names.get(text) as string };
}
