import { constants } from "node:os";
import type { Settings } from "./config/settings.ts";
import { endAtOnce, endHard, endIfHung } from "./end-process.ts";
import type { RunningServer } from "./start.ts";

/** How long closing may take after the grace period of requests and jobs, to hand back the remaining jobs and close the store. */
const LONGEST_CLOSE_MS = 30_000;

/**
 * A terminal signals the whole process group, and the parent process forwards the signal: a second signal within this time
 * is the same request.
 */
const SAME_WISH_MS = 1_000;

/**
 * Resolves when a signal has closed the server. The first signal also closes a server that still starts; the second ends the
 * process at once. Never settles if the start fails, because the start reports its own error.
 */
export function closeOnSignals(
  starting: Promise<RunningServer>,
  { shutdownGrace }: Pick<Settings, "shutdownGrace">,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let closingSince: number | undefined;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (closingSince !== undefined) {
          if (performance.now() - closingSince > SAME_WISH_MS)
            endAtOnce(signal, 128 + constants.signals[signal]);
          return;
        }
        closingSince = performance.now();
        setTimeout(() => endHard("closing takes too long"), shutdownGrace + LONGEST_CLOSE_MS).unref();
        void starting.then(
          (server) => server.close().then(endIfHung).then(resolve, reject),
          () => {},
        );
      });
    }
  });
}
