import type { FromRunner, ToRunner } from "./messages.ts";

export type IsolationKind = "thread" | "process";

export interface RunnerSpec {
  /** The address of the handler's module. */
  readonly module: string;
  /** Arguments of the runner's Node; undefined: those of this process. */
  readonly execArgv: readonly string[] | undefined;
  readonly maxOldMemoryMb: number | undefined;
}

/** How a runner ended, as far as anybody knows. */
export interface Death {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: Error | null;
}

/** The line to a thread or a process. What is sent before it is up waits there; what is sent after its end is lost. */
export interface Line {
  send(message: ToRunner): void;
  /** Ends it whatever it does; `gone` is called when it has ended. */
  kill(): void;
}

export interface Channel {
  hear(message: FromRunner): void;
  /** Once, after the last message. */
  gone(death: Death): void;
}

export type StartLine = (spec: RunnerSpec, channel: Channel) => Line;

/** What runs in there. It lies beside this file, as source or built. */
export const RUNNER_MAIN = import.meta.url.endsWith(".ts")
  ? new URL("./runner-main.ts", import.meta.url)
  : new URL("./runner-main.js", import.meta.url);
