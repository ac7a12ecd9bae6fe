import { Worker } from "node:worker_threads";
import { isFromRunner, type ToRunner } from "./messages.ts";
import { RUNNER_MAIN, type RunnerChannel, type RunnerListener, type RunnerSpec } from "./runner-channel.ts";

/**
 * A thread that is blocked in a file call on a hanging share ends only when the call returns; it is not awaited longer
 * than this.
 */
const LONGEST_END_MS = 2_000;

/**
 * A runner in a thread of this process: quick to start, but a native crash or a lack of memory ends the whole process.
 */
export function startThread(spec: RunnerSpec, listener: RunnerListener): RunnerChannel {
  const { module, execArgv } = spec;
  const worker = new Worker(RUNNER_MAIN, {
    argv: [module],
    // Without them, a thread inherits those of this process; passed explicitly, options for whole processes would be
    // refused.
    ...(execArgv ? { execArgv: [...execArgv] } : {}),
  });
  let error: Error | null = null;
  worker.on("message", (message: unknown) => {
    if (isFromRunner(message)) listener.receive(message);
  });
  worker.on("error", (cause) => {
    error = cause instanceof Error ? cause : new Error(String(cause));
  });
  let isGone = false;
  const gone = (exitCode: number | null) => {
    if (isGone) return;
    isGone = true;
    listener.gone({ exitCode, signal: null, error });
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
