/**
 * Runs work with a signal that is aborted with the given one or after the limit. It ends at the abort even if the work
 * ignores the signal: a DNS lookup cannot be cancelled.
 */
export async function withinLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort(signal.reason);
  const late = () => ended.abort(new Error(`no answer within ${limitMs / 1_000} s`));
  const timer = setTimeout(late, limitMs);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    return await new Promise<T>((resolve, reject) => {
      ended.signal.addEventListener("abort", () => reject(ended.signal.reason));
      if (ended.signal.aborted) reject(ended.signal.reason);
      else work(ended.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}
