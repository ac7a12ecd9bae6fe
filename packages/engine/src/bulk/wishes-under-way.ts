import type { Store } from "../ports/store.ts";

const underWay = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Records an abort request, and shows it to a walk of this process before it is stored: on SQLite the write waits for
 * the transaction of the current chunk, and the next chunk would begin before the request can be read.
 */
export async function recordWish<T>(store: Store, jobId: string, record: () => Promise<T>): Promise<T> {
  const wishes = underWay.get(store) ?? new Map<string, Promise<unknown>>();
  underWay.set(store, wishes);
  const recording = record();
  const settled = recording.catch(() => {});
  wishes.set(jobId, settled);
  try {
    return await recording;
  } finally {
    if (wishes.get(jobId) === settled) wishes.delete(jobId);
  }
}

/** Settles when the abort request that this process is recording is stored or refused; undefined if there is none. */
export function wishUnderWay(store: Store, jobId: string): Promise<unknown> | undefined {
  return underWay.get(store)?.get(jobId);
}
