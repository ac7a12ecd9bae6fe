import { spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { SERVER_VARIABLE } from "./databases.ts";
import { startPostgres } from "./postgres.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Processes of tests run the built files (see child.ts), which must match the sources. Without changes this takes a
 * moment.
 */
function build(): void {
  const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("the packages do not build: see above");
}

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * The shared server keeps its data in memory if there is enough: creating and dropping a database for every other test
 * is mostly file system work. Tests of durability start their own server, on the disk.
 */
function homeOfDatabases(): { home?: string } {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? { home: MEMORY } : {};
  } catch {
    return {};
  }
}

/** Starts one PostgreSQL server for the whole run; a server named by the environment is used instead. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  build();
  const given = process.env[SERVER_VARIABLE];
  if (given) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const server = await startPostgres(homeOfDatabases());
  process.env[SERVER_VARIABLE] = server.url;
  project.provide("postgresUrl", server.url);
  return async () => {
    delete process.env[SERVER_VARIABLE];
    await server.stop();
  };
}
