import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { extractFailure } from "./extract-failure.ts";
import type { FromProcess, ToProcess } from "./messages.ts";
import type { ExtractError, ExtractRequest, ExtractResult } from "./port.ts";
import { allocatedBytes } from "./process-memory.ts";

const MAIN = fileURLToPath(new URL("./programs/main.js", import.meta.url));
const MEGABYTE = 2 ** 20;
/** A PDF bomb allocates about 150 MB a second, so between two checks it exceeds its limit by a few megabytes. */
const LOOK_AT_MEMORY_MS = 50;
/**
 * The watch enforces the limit; V8's own limit is for systems without /proc. The smaller V8's heap, the more often it
 * collects garbage: a DOCX took 26 ms of CPU time with a heap of 512 MB, 21 ms with 2 GB, 20 ms without a limit.
 */
const HEAP_FACTOR = existsSync("/proc/self/status") ? 4 : 1;
const STDERR_TAIL = 4_000;
/** A process that keeps more than this share of its limit between requests has too little memory left for the next file. */
const KEEPABLE_SHARE = 0.6;
const MOST_FILES = 200;

interface Running {
  resolve(result: ExtractResult): void;
  reject(error: unknown): void;
}

/**
 * The parent's side of one process with the extraction programs. It runs one request at a time, until it is ended or ends by
 * itself.
 *
 * The engine's isolation (engine/src/worker/isolation) is not used: its runners take jobs of a queue, inherit the environment
 * with its secrets, and limit only V8's heap, whereas images, WebAssembly and PDF streams are outside of it.
 */
export class ExtractProcess {
  readonly memoryMb: number;
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #tasks = new Set<ExtractRequest["task"]>();
  #files = 0;
  #isSpent = false;
  #stderr = "";
  #running: Running | undefined;
  #endedBecause: unknown;

  constructor(memoryMb: number) {
    this.memoryMb = memoryMb;
    // The last pipe carries no data. It closes when this process ends, and the program's watchdog waits for that.
    this.#child = fork(MAIN, [], {
      execArgv: [`--max-old-space-size=${memoryMb * HEAP_FACTOR}`],
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc", "pipe"],
    });
    this.#child.stdio[4]?.on("error", () => {});
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#child.on("message", (message) => this.#hear(message as FromProcess));
    this.gone = new Promise((resolve) => {
      const end = (how: string) => {
        this.#isSpent = true;
        this.#settle()?.reject(this.#endedBecause ?? this.#crash(how));
        resolve();
      };
      // `close` is emitted after the last message and the last line of stderr.
      this.#child.once("close", (exitCode, signal) => end(signal ?? `exit code ${exitCode}`));
      this.#child.on("error", (error) => {
        // Other errors of a child, such as a message that could not be sent, do not end it.
        if (this.#child.pid === undefined) end(error.message);
      });
    });
  }

  /** Whether it can run another file. */
  get isUsable(): boolean {
    return !this.#isSpent && this.#child.connected && this.#files < MOST_FILES;
  }

  /** Whether it has run no file yet, so that one file alone accounts for its memory. */
  get isFresh(): boolean {
    return this.#files === 0;
  }

  /** Whether it has loaded the libraries of this task. */
  isWarmFor(task: ExtractRequest["task"]): boolean {
    return this.#tasks.has(task);
  }

  async run(order: ToProcess, signal: AbortSignal): Promise<ExtractResult> {
    const { task, limits } = order.request;
    const onAbort = () => void this.end(signal.reason);
    const timer = setTimeout(() => {
      void this.end(extractFailure("EXTRACT_TIMEOUT", `no result after ${limits.timeoutMs} ms`));
    }, limits.timeoutMs);
    const watch = setInterval(() => {
      if (this.#allocatedShare() > 1) void this.end(this.#outOfMemory());
    }, LOOK_AT_MEMORY_MS);
    try {
      return await new Promise<ExtractResult>((resolve, reject) => {
        this.#running = { resolve, reject };
        this.#child.send(order, () => {});
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort, { once: true });
      });
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
      this.#files++;
      this.#tasks.add(task);
      if (this.#allocatedShare() > KEEPABLE_SHARE) this.#isSpent = true;
    }
  }

  /** Kills it; a running request fails with the reason. Resolves when the process has ended. */
  end(reason: unknown): Promise<void> {
    this.#endedBecause ??= reason;
    this.#isSpent = true;
    this.#child.kill("SIGKILL");
    return this.gone;
  }

  #hear(message: FromProcess): void {
    // The process is being killed, so its messages are ignored.
    if (this.#endedBecause !== undefined) return;
    if (message.kind === "done") {
      this.#settle()?.resolve(message.result);
    } else {
      if (message.isSpent) this.#isSpent = true;
      this.#settle()?.reject(extractFailure(message.code, message.message));
    }
  }

  #settle(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    return running;
  }

  #crash(how: string): ExtractError {
    return /heap out of memory|allocation failed/i.test(this.#stderr)
      ? this.#outOfMemory()
      : extractFailure("EXTRACT_CRASHED", `the process ended by itself (${how})`);
  }

  #outOfMemory(): ExtractError {
    return extractFailure("EXTRACT_MEMORY", `the file needs more than ${this.memoryMb} MB of memory`);
  }

  #allocatedShare(): number {
    const { pid } = this.#child;
    return pid === undefined ? 0 : (allocatedBytes(pid) ?? 0) / (this.memoryMb * MEGABYTE);
  }
}

/** The environment of a parser of untrusted files: a few harmless variables and no secrets. */
function environment(): NodeJS.ProcessEnv {
  const { TMPDIR, TZ, SystemRoot } = process.env;
  const given = Object.entries({ TMPDIR, TZ, SystemRoot }).filter(([, value]) => value !== undefined);
  // With fewer malloc arenas, freed memory returns to the system, and the watch sees the memory in use.
  return { ...Object.fromEntries(given), LANG: "C.UTF-8", MALLOC_ARENA_MAX: "2" };
}
