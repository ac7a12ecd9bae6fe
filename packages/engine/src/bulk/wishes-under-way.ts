import type { Store } from "../ports/store.ts";

const underWay = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Records a wish to abort, and lets a walk of this process know of it meanwhile: on SQLite the record waits for the transaction of the
 * chunk under way, and the next chunk would begin before the wish is there to be read.
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

/** Settles when a wish that this process is recording is recorded or refused; undefined where there is none. */
export function wishUnderWay(store: Store, jobId: string): Promise<unknown> | undefined {
  return underWay.get(store)?.get(jobId);
}
