/**
 * Turns single calls into batches: calls that arrive while a batch is written go into the next one. The limits use it to
 * measure the gain from batching alone.
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
      // The callers that were just answered can put their next item into the next batch.
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
