import type { Store } from "../ports/store.ts";
import { MINUTE_MS, stepOf } from "./steps.ts";

/** How many minutes a sparkline has, the running one included. */
export const RECENT_MINUTES = 60;

/** How many jobs ended in a queue: one number per minute, the oldest first. */
export interface RecentEnds {
  readonly queue: string;
  readonly done: readonly number[];
  readonly failed: readonly number[];
}

/** The last hour of every queue in which something ended, by name. */
export async function recentEnds(store: Store): Promise<{ from: number; queues: RecentEnds[] }> {
  const from = stepOf(Math.floor(store.clock.now()), MINUTE_MS) - (RECENT_MINUTES - 1) * MINUTE_MS;
  const names = (await store.read.queues()).map(({ name }) => name);
  const found = new Map<string, { done: number[]; failed: number[] }>();
  for (const { queue, at, done, failed } of await store.read.endedByMinute(names, from)) {
    const minute = Math.min(RECENT_MINUTES - 1, Math.floor((at - from) / MINUTE_MS));
    const ends = found.get(queue) ?? { done: zeros(), failed: zeros() };
    found.set(queue, ends);
    ends.done[minute] = (ends.done[minute] ?? 0) + done;
    ends.failed[minute] = (ends.failed[minute] ?? 0) + failed;
  }
  const queues = names.flatMap((queue): RecentEnds[] => {
    const ends = found.get(queue);
    return ends ? [{ queue, ...ends }] : [];
  });
  return { from, queues };
}

const zeros = () => new Array<number>(RECENT_MINUTES).fill(0);
