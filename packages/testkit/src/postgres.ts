import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { freeze } from "./freeze.ts";
import { findPostgresBinaries, runsAsRoot, SERVER_USER } from "./postgres-binaries.ts";
import { type PostgresProcess, runPostgres, spawnAsServerUser } from "./postgres-process.ts";

export interface PostgresOptions {
  /** Server settings (`-c name=value`) on top of a durable default; for example `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its data lies: on the disk of temporary files unless told otherwise. */
  readonly home?: string;
}

export interface PostgresServer {
  /** The maintenance database; `createDatabase` makes one per test file from it. */
  readonly url: string;
  readonly port: number;
  /** Changes with every restart. */
  readonly pid: number;
  /** Ends the server in order and removes its data. */
  stop(): Promise<void>;
  /** Ends the server if it runs and starts it again with the same data on the same port. */
  restart(): Promise<void>;
  /** Ends the server at once, as a crash would: connections break, and the next start has to recover. */
  kill(): Promise<void>;
  /** Makes it silent until `thaw`, as a host that hangs or a cut network would: connections stay open and nobody answers. */
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

/** A PostgreSQL server of one's own, on a free port of this machine. */
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
  // The fresh data folder is thrown away if this fails, so there is nothing to sync yet.
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

/** Somebody else may take the free port before the server does; then another one is tried. */
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
