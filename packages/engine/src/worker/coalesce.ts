/**
 * Coalesces calls: all calls made during a run share one run after it, so that no call gets the result of a run that
 * began before it.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const run = work();
      running = run.catch(() => {});
      return run;
    });
    return next;
  };
}
