import type { TestProject } from "vitest/node";
import { SERVER_VARIABLE } from "./databases.ts";
import { startPostgres } from "./postgres.ts";

/** One PostgreSQL server for the whole run; a server named by the environment is used instead of a new one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[SERVER_VARIABLE];
  if (given) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const server = await startPostgres();
  process.env[SERVER_VARIABLE] = server.url;
  project.provide("postgresUrl", server.url);
  return async () => {
    delete process.env[SERVER_VARIABLE];
    await server.stop();
  };
}
