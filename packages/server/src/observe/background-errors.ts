import type { Store } from "@andon/engine";
import type { Logger } from "pino";

const LOOK_EVERY_MS = 1_000;

export interface BackgroundErrors {
  /** Logs an error that no caller sees. */
  tell(error: unknown): void;
  /** Stops checking for the end of an outage. */
  close(): void;
}

/**
 * While the store is away, all background work fails repeatedly for the same reason: the outage is logged once, and its end
 * once. Every other error is logged each time.
 */
export function openBackgroundErrors(
  store: Pick<Store, "isUnavailable" | "ready" | "clock">,
  log: Logger,
): BackgroundErrors {
  let isAway = false;
  let isClosed = false;
  let cancelLook = () => {};

  function lookSoon(): void {
    if (!isClosed) cancelLook = store.clock.after(LOOK_EVERY_MS, look);
  }

  async function look(): Promise<void> {
    try {
      await store.ready();
    } catch {
      lookSoon();
      return;
    }
    isAway = false;
    log.info("the store is back, work in the background goes on");
  }

  return {
    tell(error) {
      if (!store.isUnavailable(error)) {
        log.error({ err: error }, "work in the background failed and is tried again");
        return;
      }
      if (isAway) return;
      isAway = true;
      log.error({ err: error }, "the store is away, work in the background waits for it");
      lookSoon();
    },
    close() {
      isClosed = true;
      cancelLook();
    },
  };
}
