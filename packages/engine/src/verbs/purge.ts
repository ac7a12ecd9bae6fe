import { StepSize } from "../operations/step-size.ts";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { rateOf } from "../worker/rate-limit.ts";

/** How long expired plans are kept, so that their outcome can still be read. */
export const KEEP_PLANS_MS = 24 * 60 * 60_000;
const KEEP_OPERATIONS_MS = 30 * KEEP_PLANS_MS;
/** The states whose jobs are deleted after their retention, in this order; failed and aborted jobs stay. */
export const PURGED_STATES = ["done", "cancelled", "skipped", "resolved"] as const;

/** Deletes ended jobs that are older than the queue keeps them, step by step. */
export async function purge(store: Store, queue: QueueDefinition): Promise<number> {
  const before = purgeBefore(queue, store.clock.now());
  let gone = 0;
  for (const state of PURGED_STATES)
    gone += await purgeState(store, queue.name, state, state === "done" ? before.done : before.ended);
  await dropOldPlans(store, queue.name);
  return gone;
}

/** Jobs that ended before these times are older than the queue keeps them. */
export function purgeBefore(queue: QueueDefinition, now: number): { done: number; ended: number } {
  const keep = keepOf(queue);
  return { done: Math.floor(now - keep.done), ended: Math.floor(now - keep.ended) };
}

/** Deletes old plans and operations, one plan per transaction. */
export async function dropOldPlans(store: Store, queue: string): Promise<void> {
  const now = store.clock.now();
  const dropOne = () =>
    store.transaction("purge-plans", async (tx) => {
      await tx.dropOperations(queue, Math.floor(now - KEEP_OPERATIONS_MS));
      return tx.dropPlan(queue, Math.floor(now - KEEP_PLANS_MS));
    });
  while (await dropOne());
}

/**
 * The retention of a queue. Done jobs are found through the claim log, in which the limiter counts starts, so it is
 * kept at least as long as the limiter needs it.
 */
export function keepOf({ rules }: QueueDefinition): { done: number; ended: number } {
  const { keep, limiter } = rules;
  return { done: Math.max(keep.done, limiter ? rateOf(limiter).duration : 0), ended: keep.ended };
}

async function purgeState(
  store: Store,
  queue: string,
  state: (typeof PURGED_STATES)[number],
  before: number,
): Promise<number> {
  const size = new StepSize();
  let gone = 0;
  for (;;) {
    let begun = 0;
    const { jobs } = size;
    const some = await store.transaction("purge", (tx) => {
      begun = store.clock.monotonic();
      return tx.purge(queue, state, before, jobs);
    });
    size.took(store.clock.monotonic() - begun, jobs);
    gone += some.gone;
    if (some.isOver) return gone;
  }
}
