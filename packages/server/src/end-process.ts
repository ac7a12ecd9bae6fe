import { setTimeout as pause } from "node:timers/promises";

/** Calls that threads of this process wait in, as Node names them. It ends in order only when they have come back. */
const WAITED_FOR = /^(FSReq|CloseReq|GetAddrInfo|MessagePort)/;
/** How long calls that are under way when everything is closed may take to come back. */
const LONGEST_CALL_MS = 1_000;
const LOOK_EVERY_MS = 20;

/**
 * Resolves when nothing keeps the process from ending. A call to a share that hangs may never come back, and
 * `process.exit` would wait for it: then the process is killed here, with nothing left to lose.
 */
export async function endIfHung(): Promise<void> {
  const deadline = performance.now() + LONGEST_CALL_MS;
  while (waits()) {
    if (performance.now() > deadline) return endHard("file calls did not come back");
    await pause(LOOK_EVERY_MS);
  }
}

/** Ends the process whatever it waits for; as a shell shows it, with the same code either way. */
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
