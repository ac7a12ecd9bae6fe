import type { Clock } from "../ports/clock.ts";

export interface Repeating {
  stop(): void;
  /** Moves the next run forward if the pause has become shorter. */
  sooner(): void;
}

/** Repeats work, with a pause after each run; an error is reported and does not end the repetition. */
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
      // While the work runs no next run is set, so none can be moved forward.
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
