import { Worker } from "node:worker_threads";
import { type Channel, type Line, RUNNER_MAIN, type RunnerSpec } from "./line.ts";
import { isFromRunner, type ToRunner } from "./messages.ts";

/** A thread that waits in a file call of a share that hangs ends when the call comes back; nobody waits for that. */
const LONGEST_END_MS = 2_000;

/** A runner in a thread of this process: quick to start, but what ends a process (a native crash, no memory left) ends us all. */
export function startThread(spec: RunnerSpec, channel: Channel): Line {
  const { module, execArgv } = spec;
  const worker = new Worker(RUNNER_MAIN, {
    argv: [module],
    // Left out, a thread inherits them; handed on by hand, those that are for whole processes would be refused.
    ...(execArgv ? { execArgv: [...execArgv] } : {}),
  });
  let error: Error | null = null;
  worker.on("message", (message: unknown) => {
    if (isFromRunner(message)) channel.hear(message);
  });
  worker.on("error", (cause) => {
    error = cause instanceof Error ? cause : new Error(String(cause));
  });
  let isGone = false;
  const gone = (exitCode: number | null) => {
    if (isGone) return;
    isGone = true;
    channel.gone({ exitCode, signal: null, error });
  };
  worker.on("exit", gone);
  return {
    send: (message: ToRunner) => worker.postMessage(message),
    kill: () => {
      void worker.terminate();
      setTimeout(gone, LONGEST_END_MS, null).unref();
    },
  };
}
