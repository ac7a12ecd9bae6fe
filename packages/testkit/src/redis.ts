import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { installPackages, onPath } from "./install-packages.ts";

const PROGRAM = "redis-server";
const SETPRIV = "/usr/bin/setpriv";
const LONGEST_START_MS = 15_000;

export interface RedisServer {
  readonly url: string;
  /** Ends it at once, as a crash would; its keys are lost. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
  /** Stops it from answering until `thaw`; connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Sends one command and returns its raw answer, such as `+OK`. */
  command(...words: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Installs Redis if it is missing and installing is possible; otherwise throws one line that says what to install. */
export function ensureRedis(): string {
  const found = onPath(PROGRAM);
  if (found) return found;
  installPackages("Redis", [PROGRAM]);
  const installed = onPath(PROGRAM);
  if (!installed) throw new Error(`No ${PROGRAM}: install it (Debian: ${PROGRAM}).`);
  return installed;
}

/**
 * Starts a Redis server without persistence on a free port of this machine. It ends with this process if the system
 * supports that.
 */
export async function startRedis(): Promise<RedisServer> {
  const program = ensureRedis();
  const folder = mkdtempSync(join(tmpdir(), "andon-redis-"));
  const port = await freePort();
  const args = [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    folder,
    "--save",
    "",
    "--daemonize",
    "no",
  ];
  let server = run(program, args);
  await untilReady(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => end(server, "SIGKILL"),
    async restart() {
      await end(server, "SIGKILL");
      server = run(program, args);
      await untilReady(port);
    },
    freeze: () => void server.kill("SIGSTOP"),
    thaw: () => void server.kill("SIGCONT"),
    command: (...words) => ask(port, words),
    async stop() {
      server.kill("SIGCONT");
      await end(server, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function run(program: string, args: readonly string[]): ChildProcess {
  const isTied = existsSync(SETPRIV);
  return spawn(isTied ? SETPRIV : program, isTied ? ["--pdeathsig", "KILL", program, ...args] : args, {
    stdio: "ignore",
  });
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await gone;
}

async function untilReady(port: number): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS;
  while ((await ask(port, ["PING"]).catch(() => "")) !== "+PONG") {
    if (Date.now() > deadline) throw new Error(`${PROGRAM} did not answer within ${LONGEST_START_MS} ms`);
    await wait(20);
  }
}

/** One connection per command: tests send few. */
function ask(port: number, words: readonly string[]): Promise<string> {
  const request = [
    `*${words.length}`,
    ...words.flatMap((word) => [`$${Buffer.byteLength(word)}`, word]),
    "",
  ].join("\r\n");
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
      if (!isWhole(answer)) return;
      socket.destroy();
      const isText = answer.startsWith("$") && !answer.startsWith("$-1");
      resolve(isText ? answer.slice(answer.indexOf("\r\n") + 2, -2) : answer.trimEnd());
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("Redis closed the connection")));
  });
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf("\r\n");
  if (head < 0) return false;
  const length = Number(answer.slice(1, head));
  return !answer.startsWith("$") || length < 0 || Buffer.byteLength(answer) >= head + 2 + length + 2;
}
