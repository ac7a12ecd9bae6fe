import type { Store } from "../ports/store.ts";
import { LATEST_LOOK_MS } from "../worker/due-loop.ts";
import { fire } from "./fire.ts";

/** Fires schedules that are due. Returns how long to sleep. */
export async function fireDue(store: Store, onError: (error: unknown) => void): Promise<number> {
  const { read, clock } = store;
  const next = await read.nextScheduleAt();
  if (next === undefined) return LATEST_LOOK_MS;
  if (next > clock.now()) return next - clock.now();
  // Nothing moved on: another process has them under its lock, or nobody here can read them.
  return (await fire(store, onError)) > 0 ? 0 : LATEST_LOOK_MS;
}
