import type { Store } from "../ports/store.ts";
import { fire } from "../schedules/fire.ts";
import { NOTHING_DUE, TRY_AGAIN_MS } from "./due-loop.ts";

/** Fires schedules that are due. Returns how long to sleep. */
export async function fireDue(store: Store, onError: (error: unknown) => void): Promise<number> {
  const { read, clock } = store;
  const now = clock.now();
  const next = await read.nextScheduleAt(Number.MIN_SAFE_INTEGER);
  if (next === undefined) return NOTHING_DUE;
  if (next > now) return next - now;
  if ((await fire(store, onError)) > 0) return 0;
  // Nothing fired: another process has locked the schedules that are due, or this process cannot read them.
  const later = await read.nextScheduleAt(now);
  return Math.min(TRY_AGAIN_MS, (later ?? NOTHING_DUE) - now);
}
