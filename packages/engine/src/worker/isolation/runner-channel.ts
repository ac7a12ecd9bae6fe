import type { FromRunner, ToRunner } from "./messages.ts";

export type IsolationKind = "thread" | "process";

export interface RunnerSpec {
  /** The address of the handler's module. */
  readonly module: string;
  /** Arguments of the runner's Node; undefined: those of this process. */
  readonly execArgv: readonly string[] | undefined;
  readonly maxOldMemoryMb: number | undefined;
}

/** How a runner ended, as far as that is known. */
export interface Death {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: Error | null;
}

/**
 * The connection to a thread or a process. Messages sent before it has started wait; messages sent after its end are
 * lost.
 */
export interface RunnerChannel {
  send(message: ToRunner): void;
  /** Ends it, even while it is busy; `gone` is called when it has ended. */
  kill(): void;
}

export interface RunnerListener {
  receive(message: FromRunner): void;
  /** Called once, after the last message. */
  gone(death: Death): void;
}

export type StartRunner = (spec: RunnerSpec, listener: RunnerListener) => RunnerChannel;

/** The program of a runner. It is beside this file, as source or built. */
export const RUNNER_MAIN = import.meta.url.endsWith(".ts")
  ? new URL("./runner-main.ts", import.meta.url)
  : new URL("./runner-main.js", import.meta.url);
