import { constants } from "node:os";
import type { Settings } from "./config/settings.ts";
import { endAtOnce, endHard, endIfHung } from "./end-process.ts";
import type { RunningServer } from "./start.ts";

/** How long closing may take beyond the grace of requests and jobs: what is left is handed back, the store is closed. */
const LONGEST_CLOSE_MS = 30_000;

/**
 * A terminal signals the whole group, and whoever started us hands the signal on: what comes so soon after the first is the
 * same wish.
 */
const SAME_WISH_MS = 1_000;

/**
 * Resolves when a signal has closed the server in order; the first one closes also what still starts, the second does not
 * wait. Never settles where the start fails: that tells why itself.
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
