import type { Store } from "../ports/store.ts";
import { LATEST_LOOK_MS } from "../worker/due-loop.ts";
import { fire } from "./fire.ts";

/** Fires schedules that are due. Returns how long to sleep. */
export async function fireDue(store: Store, onError: (error: unknown) => void): Promise<number> {
  const { read, clock } = store;
  const now = clock.now();
  const next = await read.nextScheduleAt(Number.MIN_SAFE_INTEGER);
  if (next !== undefined && next <= now && (await fire(store, onError)) > 0) return 0;
  // Where nothing moved on, another process has those that are due under its lock, or nobody here can read them.
  const later = next !== undefined && next <= now ? await read.nextScheduleAt(now) : next;
  return later === undefined ? LATEST_LOOK_MS : later - now;
}
