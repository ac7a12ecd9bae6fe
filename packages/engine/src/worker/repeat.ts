import type { Clock } from "../ports/clock.ts";

/** Does something again and again, with a pause after each time; an error is told and does not end it. */
export function repeat(
  clock: Clock,
  pauseMs: () => number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => void {
  let stopped = false;
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(pauseMs(), async () => {
      try {
        await work();
      } catch (error) {
        onError(error);
      }
      if (!stopped) next();
    });
  };
  next();
  return () => {
    stopped = true;
    cancel();
  };
}
