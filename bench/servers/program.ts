import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { tied } from "./tied.ts";

export interface ProgramOrder {
  command: string;
  args: readonly string[];
  /** Over this process's own environment. */
  env?: Record<string, string>;
  cwd?: string;
  /** Where its output goes, as a service's would: nobody reads along while something is measured. */
  log: string;
}

export interface Program {
  readonly pid: number;
  /** The first match in what it printed; throws with the end of that when it ends or is late. */
  printed(pattern: RegExp, withinSeconds?: number): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

const LOOK_MS = 10;
const LONGEST_STOP_MS = 40_000;

/** A program of its own that ends with this process. */
export function startProgram({ command, args, env, cwd, log }: ProgramOrder): Program {
  const [program, all] = tied(command, args);
  const output = openSync(log, "w");
  const child = spawn(program, all, {
    stdio: ["ignore", output, output],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  closeSync(output);
  let end: string | undefined;
  const ended = new Promise<void>((resolve) => {
    const over = (how: string) => {
      end = how;
      resolve();
    };
    child.once("exit", (code, signal) => over(String(signal ?? code)));
    child.once("error", (error) => over(error.message));
  });
  return {
    pid: child.pid ?? 0,
    async printed(pattern, withinSeconds = 30) {
      const deadline = performance.now() + withinSeconds * 1_000;
      for (;;) {
        // Asked before reading: what it printed last is then in what is read.
        const over = end ?? (performance.now() > deadline ? `silent for ${withinSeconds} s` : undefined);
        const text = readFileSync(log, "utf8");
        const found = pattern.exec(text);
        if (found) return found;
        if (over !== undefined)
          throw new Error(`${command} (${over}) never said ${pattern}: ${text.slice(-2_000)}`);
        await sleep(LOOK_MS);
      }
    },
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), LONGEST_STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** The same Node with the same flags as this process: our packages are taken from source. */
export function startNode(
  file: string,
  args: readonly string[],
  rest: Omit<ProgramOrder, "command" | "args">,
): Program {
  return startProgram({ command: process.execPath, args: [...process.execArgv, file, ...args], ...rest });
}
