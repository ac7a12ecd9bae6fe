import type { Store, StoreTx } from "../ports/store.ts";

export interface Arrived {
  /** False where the event had come before: the first one counts. */
  isNew: boolean;
}

/**
 * Something came from outside that a job waits for, or will wait for. In a transaction of the caller's only rows of the event and
 * its timers are locked: the housekeeper puts the jobs in line once it has committed. `payload` is JSON text by now.
 */
export async function arrive(store: Store, event: string, payload: string, given: unknown): Promise<Arrived> {
  const write = async (tx: StoreTx) => {
    const isNew = await tx.addArrival(event, payload);
    if (isNew) await tx.signalOnCommit({ kind: "timer" });
    return { isNew };
  };
  return given === undefined ? store.transaction("arrive", write) : write(await store.join(given));
}
