import { randomBytes } from "node:crypto";
import pg from "pg";
import type {} from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** The URL of the test run's PostgreSQL server; set by the global set-up, or by the environment. */
export const SERVER_VARIABLE = "ANDON_TEST_PG";

export interface TestDatabase {
  readonly url: string;
  /** Removes the database, and ends connections that are still open. */
  drop(): Promise<void>;
}

/** Creates an empty database on the test run's server, or a copy of another one. */
export async function createDatabase(
  serverUrl = process.env[SERVER_VARIABLE],
  template?: string,
): Promise<TestDatabase> {
  if (!serverUrl) throw new Error(`no PostgreSQL server: ${SERVER_VARIABLE} is not set`);
  const name = `andon_${randomBytes(6).toString("hex")}`;
  await execute(serverUrl, `create database ${name}${template ? ` template ${template}` : ""}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
