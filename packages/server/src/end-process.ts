import { setTimeout as pause } from "node:timers/promises";

/** Node's names for calls in which threads of this process wait. A normal exit needs all of them to return. */
const WAITED_FOR = /^(FSReq|CloseReq|GetAddrInfo|MessagePort)/;
/** How long calls may take to return after everything is closed. */
const LONGEST_CALL_MS = 1_000;
const LOOK_EVERY_MS = 20;

/**
 * Resolves when no call keeps the process from ending. A call to a hanging share may never return, and `process.exit` would
 * wait for it: then the process is killed here, when everything is already closed.
 */
export async function endIfHung(): Promise<void> {
  const deadline = performance.now() + LONGEST_CALL_MS;
  while (waits()) {
    if (performance.now() > deadline) return endHard("file calls did not come back");
    await pause(LOOK_EVERY_MS);
  }
}

/** Ends the process at once, by the signal itself if calls are waiting. A shell shows the same exit code in both cases. */
export function endAtOnce(signal: NodeJS.Signals, code: number): void {
  if (waits()) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(code);
}

export function endHard(reason: string): void {
  process.stderr.write(`Andon is ended by force: ${reason}\n`);
  process.kill(process.pid, "SIGKILL");
}

function waits(): boolean {
  return process.getActiveResourcesInfo().some((name) => WAITED_FOR.test(name));
}
