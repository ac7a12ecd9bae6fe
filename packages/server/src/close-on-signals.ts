import { constants } from "node:os";
import type { RunningServer } from "./start.ts";

/**
 * Resolves when a signal has closed the server in order; the first one closes also what still starts, the second does not
 * wait. Never settles where the start fails: that tells why itself.
 */
export function closeOnSignals(starting: Promise<RunningServer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let isClosing = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (isClosing) process.exit(128 + constants.signals[signal]);
        isClosing = true;
        void starting.then(
          (server) => server.close().then(resolve, reject),
          () => {},
        );
      });
    }
  });
}
