import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface NodeChild {
  readonly pid: number;
  /** All output so far. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exited: Promise<ChildExit>;
  /** The next line of output that matches, starting after the last match; lines before it are skipped. */
  waitForLine(match: string | RegExp, timeoutMs?: number): Promise<string>;
  /** Writes one line to the child's standard input. */
  send(line: string): void;
  /** Closes the child's standard input. */
  end(): void;
  /** Sends the signal (default `SIGTERM`) and waits until the child has ended. */
  kill(signal?: NodeJS.Signals): Promise<ChildExit>;
}

/** A process first reads all of its code, which takes long while many others start. */
const LONGEST_WAIT_MS = 60_000;

const require = createRequire(import.meta.url);
/** The flags with which this Node runs TypeScript. Later versions do so natively, and start faster. */
const TYPESCRIPT = process.features.typescript
  ? ["--disable-warning=ExperimentalWarning"]
  : ["--import", pathToFileURL(require.resolve("tsx")).href];

/** Runs a file as a separate process, on this Node. */
export function spawnNode(
  file: string | URL,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): NodeChild {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  const child = spawn(process.execPath, [...programOf(path), ...args], { env: childEnvironment(env) });
  let stdout = "";
  let stderr = "";
  const lines: string[] = [];
  let next = 0;
  let ended: ChildExit | undefined;
  let wake = () => {};

  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // Writing to a child that has ended fails; the caller gets its exit instead.
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  const exited = new Promise<ChildExit>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      ended = { code, signal };
      resolve(ended);
      wake();
    });
  });

  return {
    pid: child.pid as number,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    exited,
    async waitForLine(match, timeoutMs = LONGEST_WAIT_MS) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        for (let line = lines[next]; line !== undefined; line = lines[next]) {
          next++;
          if (typeof match === "string" ? line.includes(match) : match.test(line)) return line;
        }
        const left = deadline - Date.now();
        if (ended || left <= 0) {
          const why = ended ? `child ended (${ended.signal ?? ended.code})` : `no line for ${timeoutMs} ms`;
          throw new Error(`${why} while waiting for ${match}\nstdout:\n${stdout}\nstderr:\n${stderr}`);
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    send(line) {
      child.stdin.write(`${line}\n`);
    },
    end() {
      child.stdin.end();
    },
    kill(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}

/**
 * How a file is run. JavaScript, and a package's own program, run as built, as users run them (the set-up of the test
 * run builds them), which starts in a third of the time. Other TypeScript runs from source, with our packages as built.
 */
function programOf(path: string): string[] {
  if (/\.m?js$/.test(path)) return [path];
  const built = path.replace(/([\\/])src([\\/].*)\.ts$/, "$1dist$2.js");
  if (built !== path && existsSync(built)) return [built];
  return [...TYPESCRIPT, path];
}

/** The test runner's own variables would make the child act as a test worker. */
function childEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith("VITEST") && name !== "NODE_OPTIONS") env[name] = value;
  }
  return { ...env, ...extra };
}
