import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { INSTALLED_APPS } from "@andon/apps/installed";
import { type Client, createClient } from "@andon/client";
import {
  type Installed,
  loadInstalled,
  type RunningServer,
  type SettingsInput,
  type StartOptions,
  settingsOf,
  startServer,
} from "@andon/server";
import { createDatabaseWith } from "@andon/testkit";
import { loadCliApps } from "../src/cli-app.ts";
import { run } from "../src/run.ts";
import { Interrupted, type Shell } from "../src/terminal/shell.ts";

export const STORES = ["sqlite", "postgres"] as const;
export type StoreName = (typeof STORES)[number];

const DEFAULT_QUEUE = "nas-sync";

export interface TestServer {
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  readonly site: RunningServer["site"];
  /** Its data folder. */
  readonly data: string;
  /** The environment variables with which a command reaches it. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/** A whole server on an empty database. */
export async function startTestServer(
  store: StoreName,
  settings: SettingsInput = {},
  apps?: Installed,
  options: StartOptions = {},
): Promise<TestServer> {
  const data = temporaryFolder();
  const database = store === "postgres" ? await createDatabaseWith("vault") : undefined;
  const token = randomBytes(24).toString("base64url");
  const given = {
    port: 0,
    data: data.path,
    adminToken: token,
    log: { level: "silent" as const },
    ...settings,
    // The default queue of the commands; otherwise an app provides it.
    queues: apps ? settings.queues : { [DEFAULT_QUEUE]: {}, ...settings.queues },
  };
  const at = database ? { store: database.url } : {};
  const running = await startServer(settingsOf({ ...given, ...at }, apps), options);
  const url = running.url ?? "";
  return {
    url,
    token,
    client: createClient({ url, token, language: "en" }),
    site: running.site,
    data: running.site.settings.data,
    env: { ANDON_URL: url, ANDON_TOKEN: token },
    async close() {
      await running.close();
      await database?.drop();
      data.remove();
    },
  };
}

/** The apps that come with Andon, as a start of the command runs them. */
export const installed = () => loadInstalled(INSTALLED_APPS);

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "andon-cli-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Record<string, string>;
  readonly folder?: string;
  /** The columns of a terminal on all three streams. Absent: no terminal. */
  readonly terminal?: number;
  /** What a person types. */
  readonly input?: string;
  /** Keys that a person presses later. */
  readonly keys?: PassThrough;
  /** Presses Ctrl-C. */
  readonly interrupt?: AbortSignal;
  /** Packages of the apps that the command includes. Default: those that come with Andon. */
  readonly packages?: readonly string[];
}

export const cliApps = await loadCliApps(INSTALLED_APPS);

/** Runs the whole command inside this process. */
export async function andon(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return beginAndon(args, options).ended;
}

/** Starts a command that runs until it is interrupted. */
export function beginAndon(args: readonly string[], options: RunOptions = {}) {
  const shell = shellOf(options);
  const stdout = () => shell.stdout.text();
  const stderr = () => shell.stderr.text();
  const apps = options.packages ? loadCliApps(options.packages) : cliApps;
  const ended = Promise.resolve(apps)
    .then((each) => run(args, shell, { apps: each, installed }))
    .then((code): Ran => ({ code, stdout: stdout(), stderr: stderr() }));
  return { stdout, stderr, ended };
}

class Screen extends PassThrough {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  #text = "";

  constructor(columns: number | undefined) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns;
    this.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
    });
  }

  text(): string {
    return this.#text + (this.read() ?? "");
  }
}

function shellOf({ env = {}, folder, terminal, input, keys, interrupt }: RunOptions) {
  const stdin = Object.assign(keys ?? new PassThrough(), { isTTY: terminal !== undefined });
  if (input !== undefined) stdin.write(input);
  const interrupted = new AbortController();
  interrupt?.addEventListener("abort", () => interrupted.abort(new Interrupted()));
  return {
    env: { LANG: "C.UTF-8", ...env } as NodeJS.ProcessEnv,
    folder: folder ?? tmpdir(),
    stdin,
    stdout: new Screen(terminal),
    stderr: new Screen(terminal),
    interruption: () => interrupted.signal,
  } satisfies Shell;
}

/** The built command. The set-up of the test run builds it. */
const MAIN = fileURLToPath(new URL("../bin/andon.mjs", import.meta.url));

export interface Process {
  readonly output: () => Ran;
  /** Resolves with the first match in what the command has written. */
  until(match: RegExp): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ran>;
}

/** The command as a process of its own, as a shell would start it. */
export function startAndon(args: readonly string[], { env = {}, folder }: RunOptions = {}): Process {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder ?? tmpdir(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: "C.UTF-8", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  let code: number | null = null;
  const looks = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
      for (const look of looks) look();
    });
  }
  const output = () => ({ code, ...written });
  const ended = once(child, "close").then(([exit]) => {
    code = exit as number | null;
    for (const look of looks) look();
    return { ...output(), code };
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  return {
    output,
    ended,
    signal: (signal) => void child.kill(signal),
    until: (match) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = match.exec(`${written.stdout}\n${written.stderr}`)?.[0];
          if (found !== undefined) resolve(found);
          else if (isOver || code !== null)
            reject(new Error(`the command ended without ${match}: ${JSON.stringify(output())}`));
          else return;
          looks.delete(look);
        };
        looks.add(look);
        look();
      }),
  };
}

export async function andonProcess(args: readonly string[], options?: RunOptions): Promise<Ran> {
  return startAndon(args, options).ended;
}

export { until } from "@andon/testkit";
