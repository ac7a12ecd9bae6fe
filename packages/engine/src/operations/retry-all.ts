import type { Decision } from "@andon/contract";
import type { QueueDefinition } from "../queue-definition.ts";
import { queueAgain } from "../verbs/retry.ts";
import { type DecisionContext, decideOverFailed } from "./decide-over-failed.ts";
import type { Started } from "./operations.ts";

export interface RetriedAll {
  retried: number;
}

/** Retries every failed job of the queue; it does not resume the queue. */
export function retryAll(
  context: DecisionContext,
  queue: QueueDefinition,
  decision: Decision,
): Promise<Started<RetriedAll>> {
  return decideOverFailed(context, queue, {
    action: "retry-all",
    transaction: (work) => context.store.transaction("retry-all", work),
    audited: "queue.retry-all",
    decision: { actor: decision.actor, reason: decision.reason?.trim() || null },
    atOnce: async (tx, jobs) => {
      await queueAgain(tx, queue, jobs, decision);
      return { retried: jobs.length };
    },
    resultOf: ({ done }) => ({ retried: done }),
  });
}
