import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { exitWithParent } from "./exit-with-parent.ts";

export interface ProgramOrder {
  command: string;
  args: readonly string[];
  /** Added to this process's own environment. */
  env?: Record<string, string>;
  cwd?: string;
  /** Its output goes to this file, as a service's would, so that no process reads it during a measurement. */
  log: string;
}

export interface Program {
  readonly pid: number;
  /** The first match in its output. Throws with the end of the output if the program ends or the time is up. */
  printed(pattern: RegExp, withinSeconds?: number): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

const LOOK_MS = 10;
const LONGEST_STOP_MS = 40_000;

/** Starts a separate program that ends with this process. */
export function startProgram({ command, args, env, cwd, log }: ProgramOrder): Program {
  const [program, all] = exitWithParent(command, args);
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
        // Read before the output, so that the output includes what the program printed last.
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

/** Starts the same Node with the same flags as this process. */
export function startNode(
  file: string,
  args: readonly string[],
  rest: Omit<ProgramOrder, "command" | "args">,
): Program {
  return startProgram({ command: process.execPath, args: [...process.execArgv, file, ...args], ...rest });
}
