import type { Store } from "../ports/store.ts";
import { promote } from "../verbs/promote.ts";
import { LATEST_LOOK_MS } from "./due-loop.ts";

const BACK_SOON_MS = 5;

/** Puts jobs in line whose time has come. Returns how long to sleep. */
export async function promoteDue(store: Store): Promise<number> {
  const { read, clock } = store;
  const next = await read.nextDue();
  if (next === undefined) return LATEST_LOOK_MS;
  if (next > clock.now()) return next - clock.now();
  for (const queue of await read.dueQueues(clock.now())) await promote(store, queue);
  return BACK_SOON_MS;
}
