import type { Decision } from "@andon/contract";
import { StepSize } from "../operations/step-size.ts";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { rateOf } from "../worker/pace.ts";

/** How long plans stay after they expired, for those who ask what became of one. */
export const KEEP_PLANS_MS = 24 * 60 * 60_000;
const KEEP_OPERATIONS_MS = 30 * KEEP_PLANS_MS;
const ENDED = ["cancelled", "skipped", "resolved"] as const;

/** Deletes ended jobs that are older than the queue keeps them, step by step; failed jobs stay. */
export async function purge(store: Store, queue: QueueDefinition, decision?: Decision): Promise<number> {
  if (decision) await recordDecision(store, queue, decision);
  const keep = keepOf(queue);
  const now = store.clock.now();
  let gone = await purgeState(store, queue.name, "done", Math.floor(now - keep.done));
  for (const state of ENDED) gone += await purgeState(store, queue.name, state, Math.floor(now - keep.ended));
  const oldPlans = Math.floor(now - KEEP_PLANS_MS);
  const oldOperations = Math.floor(now - KEEP_OPERATIONS_MS);
  const dropOne = () =>
    store.transaction("purge-plans", async (tx) => {
      await tx.dropOperations(queue.name, oldOperations);
      return tx.dropPlan(queue.name, oldPlans);
    });
  while (await dropOne());
  return gone;
}

/** The ledger that done jobs are found through is also what the limiter counts starts by. */
export function keepOf({ rules }: QueueDefinition): { done: number; ended: number } {
  const { keep, limiter } = rules;
  return { done: Math.max(keep.done, limiter ? rateOf(limiter).duration : 0), ended: keep.ended };
}

/** Before anything is gone: a crash in the middle leaves a decision that was half carried out, never a deed without one. */
async function recordDecision(
  store: Store,
  { name, rules }: QueueDefinition,
  decision: Decision,
): Promise<void> {
  const { actor, reason } = decision;
  await store.transaction("purge-decided", (tx) =>
    tx.addAudit({
      actor,
      action: "queue.purge",
      target: `queue:${name}`,
      reason: reason?.trim() || null,
      before: null,
      after: { keep: rules.keep },
    }),
  );
}

async function purgeState(
  store: Store,
  queue: string,
  state: "done" | (typeof ENDED)[number],
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
