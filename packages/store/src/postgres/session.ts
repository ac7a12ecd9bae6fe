import { AndonError } from "@andon/contract";
import type pg from "pg";
import type { Session } from "../dialect.ts";
import { bind, type Statement, type Values } from "../statement.ts";
import { hasSeveralStatements, isStalePlan } from "./faults.ts";
import type { Planner } from "./planner.ts";
import { nameNow, nameOfText, renameAfterChange } from "./prepared-names.ts";
import { CALLERS_TYPES, STORE_TYPES } from "./types-of-results.ts";

/** The part of a PostgreSQL client that the store uses, whether the client is its own or a caller's. */
export interface PostgresClient {
  query(
    query:
      | string
      | {
          name?: string;
          text: string;
          values: unknown[];
          types?: pg.CustomTypesConfig;
          queryMode?: "extended";
          rowMode?: "array";
        },
  ): Promise<{
    rows: unknown[];
    rowCount: number | null;
    command: string;
  }>;
}

/** `planner`: given for our own connections. A caller's client keeps the caller's settings. */
export function postgresSession(client: PostgresClient, planner?: Pick<Planner, "plansFor">): Session {
  const sendOurs = (statement: Statement, values: Values) => {
    planner?.plansFor("store");
    return send(client, statement, values);
  };
  return {
    all: async <Row>(statement: Statement, values: Values) =>
      (await sendOurs(statement, values)).rows as Row[],
    run: async (statement, values) => (await sendOurs(statement, values)).rowCount ?? 0,
    raw: async <Row>(text: string, params: readonly unknown[]) => {
      planner?.plansFor("caller");
      return (await sendText(client, text, params)).rows as Row[];
    },
  };
}

export function send(client: PostgresClient, statement: Statement, values: Values) {
  const { text, rowMode } = statement;
  const name = nameNow(statement.name);
  const query = { name, text, values: bind(statement, values), types: STORE_TYPES };
  return client.query(rowMode ? { ...query, rowMode } : query).catch((error) => {
    if (isStalePlan(error)) renameAfterChange(name, text);
    throw error;
  });
}

/**
 * Sends a caller's text. The extended protocol accepts one statement and refuses several, with or without parameters;
 * the server decides how many there are.
 */
async function sendText(client: PostgresClient, text: string, params: readonly unknown[]) {
  const name = nameOfText(text);
  const query = { text, values: [...params], types: CALLERS_TYPES, queryMode: "extended" as const };
  try {
    return await client.query(name === undefined ? query : { name, ...query });
  } catch (error) {
    if (name !== undefined && isStalePlan(error)) renameAfterChange(name, text);
    if (hasSeveralStatements(error)) throw new AndonError("SEVERAL_STATEMENTS", {}, { cause: error });
    throw error;
  }
}
