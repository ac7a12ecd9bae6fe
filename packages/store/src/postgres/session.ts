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
      (await client.query({ text, values: [...params], types: typeParsers })).rows as Row[],
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
