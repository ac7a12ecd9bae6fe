import type { Store, StoreTx } from "../ports/store.ts";

export interface Arrived {
  /** False if the event had arrived before: the first arrival counts. */
  isNew: boolean;
}

/**
 * Stores the arrival of an external event that a job waits for, or will wait for. In a caller's transaction it locks
 * only the rows of the event and of its timers: the housekeeper puts the jobs in line after the commit. `payload` is
 * JSON text.
 */
export async function arrive(store: Store, event: string, payload: string, given: unknown): Promise<Arrived> {
  const write = async (tx: StoreTx) => {
    const isNew = await tx.addArrival(event, payload);
    if (isNew) await tx.signalOnCommit({ kind: "timer" });
    return { isNew };
  };
  return given === undefined ? store.transaction("arrive", write) : write(await store.join(given));
}
