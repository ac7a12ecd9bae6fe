import type { Decision } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { rateOf } from "../worker/pace.ts";

const MOST_AT_ONCE = 1_000;
/** How long plans stay after they expired, for those who ask what became of one. */
const KEEP_PLANS_MS = 24 * 60 * 60_000;
const ENDED = ["cancelled", "skipped", "resolved"] as const;

/** Deletes ended jobs that are older than the queue keeps them, a thousand per transaction; failed jobs stay. */
export async function purge(store: Store, queue: QueueDefinition, decision?: Decision): Promise<number> {
  if (decision) await recordDecision(store, queue, decision);
  const { keep, limiter } = queue.rules;
  const now = store.clock.now();
  // The ledger that done jobs are found through is also what the limiter counts starts by.
  const keepDone = Math.max(keep.done, limiter ? rateOf(limiter).duration : 0);
  let gone = await purgeState(store, queue.name, "done", Math.floor(now - keepDone));
  for (const state of ENDED) gone += await purgeState(store, queue.name, state, Math.floor(now - keep.ended));
  await store.transaction("purge-plans", (tx) => tx.dropPlans(queue.name, Math.floor(now - KEEP_PLANS_MS)));
  return gone;
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
  let gone = 0;
  for (;;) {
    const some = await store.transaction("purge", (tx) => tx.purge(queue, state, before, MOST_AT_ONCE));
    gone += some.gone;
    if (some.isOver) return gone;
  }
}
