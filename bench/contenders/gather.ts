/**
 * Turns single calls into batches: what comes while a batch is being written goes into the next one. The limits use it to
 * show what gathering alone is worth.
 */
export function gather<T>(write: (items: T[]) => Promise<void> | void): (item: T) => Promise<void> {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let writing = false;

  const flush = async () => {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(batch.map((entry) => entry.item));
        for (const entry of batch) entry.resolve();
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
      // Lets the callers that were just answered put their next item into the next batch.
      await new Promise((resolve) => setImmediate(resolve));
    }
    writing = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!writing) {
        writing = true;
        queueMicrotask(() => void flush());
      }
    });
}
