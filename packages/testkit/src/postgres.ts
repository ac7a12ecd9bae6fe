import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { freeze } from "./freeze.ts";
import { findPostgresBinaries, runsAsRoot, SERVER_USER } from "./postgres-binaries.ts";
import { type PostgresProcess, runPostgres, spawnAsServerUser } from "./postgres-process.ts";

export interface PostgresOptions {
  /** Server settings (`-c name=value`) in addition to a durable default; for example `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder for its data. Default: the temporary folder on the disk. */
  readonly home?: string;
}

export interface PostgresServer {
  /** The maintenance database; `createDatabase` creates one per test file from it. */
  readonly url: string;
  readonly port: number;
  /** Changes with every restart. */
  readonly pid: number;
  /** Shuts the server down and removes its data. */
  stop(): Promise<void>;
  /** Ends the server if it runs and starts it again with the same data on the same port. */
  restart(): Promise<void>;
  /** Ends the server at once, as a crash would: connections break, and the next start has to recover. */
  kill(): Promise<void>;
  /** Stops it from answering until `thaw`, as a hanging host or a cut network would; connections stay open. */
  freeze(): void;
  thaw(): void;
}

const DEFAULT_SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  fsync: "on",
  synchronous_commit: "on",
};

/** Starts a PostgreSQL server on a free port of this machine. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = await findPostgresBinaries();
  const folder = mkdtempSync(join(options.home ?? tmpdir(), "andon-pg-"));
  const args = ["-D", folder];
  for (const [name, value] of Object.entries({ ...DEFAULT_SETTINGS, ...options.settings })) {
    args.push("-c", `${name}=${value}`);
  }
  const run = (port: number) => runPostgres(binaries.postgres, [...args, "-p", String(port)]);

  let port: number;
  let server: PostgresProcess;
  try {
    if (runsAsRoot) chownSync(folder, SERVER_USER, SERVER_USER);
    await initialise(binaries.initdb, folder);
    ({ port, server } = await runOnFreePort(run));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }

  let thaw = () => {};
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid;
    },
    async stop() {
      thaw();
      await server.end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
    async restart() {
      await server.end("SIGINT");
      server = await run(port);
    },
    async kill() {
      await server.end("SIGQUIT");
    },
    freeze() {
      thaw = freeze(server.pid);
    },
    thaw() {
      thaw();
      thaw = () => {};
    },
  };
}

async function initialise(initdb: string, folder: string): Promise<void> {
  // The new data folder is discarded if this fails, so there is no need to sync.
  const args = ["-D", folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  const child = spawnAsServerUser(initdb, args, false);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`initdb ended with ${code}\n${log}`);
}

/** Another process may take the free port before the server does; then another port is tried. */
async function runOnFreePort(run: (port: number) => Promise<PostgresProcess>) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { port, server: await run(port) };
    } catch (error) {
      if (attempt === 3 || !String(error).includes("could not bind")) throw error;
    }
  }
}
