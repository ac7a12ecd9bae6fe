import type { Clock } from "../ports/clock.ts";

export interface Repeating {
  stop(): void;
  /** The pause may have become shorter: what is due too late by it comes sooner. */
  sooner(): void;
}

/** Does something again and again, with a pause after each time; an error is told and does not end it. */
export function repeat(
  clock: Clock,
  pauseMs: () => number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeating {
  let stopped = false;
  let dueAt = 0;
  let cancel = () => {};
  const next = () => {
    const pause = pauseMs();
    dueAt = clock.monotonic() + pause;
    cancel = clock.after(pause, async () => {
      // While it is at work nothing is due, so nothing can come sooner.
      dueAt = 0;
      try {
        await work();
      } catch (error) {
        onError(error);
      }
      if (!stopped) next();
    });
  };
  next();
  return {
    stop: () => {
      stopped = true;
      cancel();
    },
    sooner: () => {
      if (stopped || clock.monotonic() + pauseMs() >= dueAt) return;
      cancel();
      next();
    },
  };
}
