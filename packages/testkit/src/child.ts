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
  /** Everything printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  readonly exited: Promise<ChildExit>;
  /** The next line of output, from where the last call left off, that matches; the lines before it are passed over. */
  waitForLine(match: string | RegExp, timeoutMs?: number): Promise<string>;
  /** Writes one line to the child's standard input. */
  send(line: string): void;
  /** Says that no more lines will come. */
  end(): void;
  /** Sends the signal (`SIGTERM` unless told otherwise) and waits until the child is gone. */
  kill(signal?: NodeJS.Signals): Promise<ChildExit>;
}

/** A process reads all of its code first, which takes long where many others start too. */
const LONGEST_WAIT_MS = 60_000;

const require = createRequire(import.meta.url);
/** What makes this Node run TypeScript; later ones can by themselves, and start sooner so. */
const TYPESCRIPT = process.features.typescript
  ? ["--disable-warning=ExperimentalWarning"]
  : ["--import", pathToFileURL(require.resolve("tsx")).href];

/** Runs a file as a process of its own, on this Node. */
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
  // A child that is gone cannot read; its exit is what the caller is told.
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
 * JavaScript, and a package's own program, as users run it: with what is built (the set-up of the run sees to that), which
 * starts in a third of the time. Other TypeScript as it is, with our packages as built.
 */
function programOf(path: string): string[] {
  if (/\.m?js$/.test(path)) return [path];
  const built = path.replace(/([\\/])src([\\/].*)\.ts$/, "$1dist$2.js");
  if (built !== path && existsSync(built)) return [built];
  return [...TYPESCRIPT, path];
}

/** The runner's own variables would make the child believe that it is a test worker. */
function childEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith("VITEST") && name !== "NODE_OPTIONS") env[name] = value;
  }
  return { ...env, ...extra };
}
