import { type ChildProcess, fork } from "node:child_process";
import { safeRead } from "../../lifecycle/safe-read.ts";
import { uncarry } from "./carried-error.ts";
import { isFromRunner } from "./messages.ts";
import {
  type Death,
  RUNNER_MAIN,
  type RunnerChannel,
  type RunnerListener,
  type RunnerSpec,
} from "./runner-channel.ts";

/** A runner in a process of its own, whose crash does not affect this process. */
export function startProcess(spec: RunnerSpec, listener: RunnerListener): RunnerChannel {
  // The last pipe carries nothing. It closes when this process is gone, which the runner's watchdog waits for.
  const child = fork(RUNNER_MAIN, [spec.module], {
    execArgv: argumentsOf(spec),
    stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
  });
  child.stdio[4]?.on("error", () => {});
  let lastWords: Error | null = null;
  child.on("message", (message) => {
    if (!isFromRunner(message)) return;
    if (message.kind === "dying") lastWords = safeRead(() => uncarry(message.error), null);
    else listener.receive(message);
  });
  void ended(child).then((death) => listener.gone({ ...death, error: lastWords ?? death.error }));
  return {
    send: (message) => {
      // A child that is gone receives nothing; the caller gets its end through `gone`.
      if (child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

/** The exit may be known before the last messages are read. Those precede the disconnect, so both are awaited. */
async function ended(child: ChildProcess): Promise<Death> {
  const disconnected = new Promise<void>((resolve) => child.once("disconnect", resolve));
  const death = await new Promise<Death>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, error: null }));
    child.on("error", (error) => {
      // Other errors of a child (a signal that could not be sent) do not end it.
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, error });
    });
  });
  if (child.pid !== undefined && child.channel) await disconnected;
  return death;
}

function argumentsOf({ execArgv, maxOldMemoryMb }: RunnerSpec): string[] {
  const given = execArgv ?? inheritable(process.execArgv);
  return maxOldMemoryMb ? [...given, `--max-old-space-size=${maxOldMemoryMb}`] : [...given];
}

/**
 * Without a debugger's port, which is in use, and without a program given as text, which would run instead of the
 * runner.
 */
function inheritable(execArgv: readonly string[]): string[] {
  const isProgram = (argument: string | undefined) => /^(-e|--eval|-p|-pe|--print)$/.test(argument ?? "");
  return execArgv.filter(
    (argument, index) =>
      !/^--(inspect|input-type|eval=|print=)/.test(argument) &&
      !isProgram(argument) &&
      !isProgram(execArgv[index - 1]),
  );
}
