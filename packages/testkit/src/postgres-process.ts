import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { runsAsRoot, SERVER_USER } from "./postgres-binaries.ts";

const SETPRIV = "/usr/bin/setpriv";
const START_TIMEOUT_MS = 30_000;

export interface PostgresProcess {
  readonly pid: number;
  /** Sends the signal and waits until the server has ended. */
  end(signal: "SIGINT" | "SIGQUIT"): Promise<void>;
}

/**
 * Starts a program as a user that PostgreSQL accepts, and makes it end with this process if the system supports that.
 */
export function spawnAsServerUser(program: string, args: readonly string[], tied: boolean): ChildProcess {
  const useSetpriv = tied && existsSync(SETPRIV);
  return spawn(
    useSetpriv ? SETPRIV : program,
    useSetpriv ? ["--pdeathsig", "INT", program, ...args] : [...args],
    {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: "/",
      // Messages are matched below, so they must be English on every machine.
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      ...(runsAsRoot ? { uid: SERVER_USER, gid: SERVER_USER } : {}),
    },
  );
}

/** Runs `postgres` and resolves when it accepts connections. */
export function runPostgres(program: string, args: readonly string[]): Promise<PostgresProcess> {
  const child = spawnAsServerUser(program, args, true);
  let log = "";
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));

  return new Promise((resolve, reject) => {
    let ready = false;
    const fail = (why: string) => {
      if (ready) return;
      clearTimeout(timer);
      child.kill("SIGQUIT");
      reject(new Error(`PostgreSQL ${why}\n${log}`));
    };
    const timer = setTimeout(() => fail(`was not ready after ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    child.once("error", (error) => fail(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) => fail(`ended before it was ready (${signal ?? code})`));
    child.stdout?.resume();
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-8_000);
      if (!log.includes("ready to accept connections")) return;
      ready = true;
      clearTimeout(timer);
      child.stderr?.removeAllListeners("data").resume();
      resolve({
        pid: child.pid as number,
        async end(signal) {
          if (child.exitCode === null && child.signalCode === null) child.kill(signal);
          await exited;
        },
      });
    });
  });
}
