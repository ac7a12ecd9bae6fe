import type { Decision } from "@andon/contract";
import type { QueueDefinition } from "../queue-definition.ts";
import { openQueue } from "../verbs/resume.ts";
import { reasonOf, skipJobs } from "../verbs/skip.ts";
import { type DecisionContext, decideOverFailed } from "./decide-over-failed.ts";
import type { Started } from "./operations.ts";

export interface SkippedAll {
  skipped: number;
  /** Whether the queue had to be opened. */
  changed: boolean;
  resumedAt: number;
}

/** Skips every failed job; the queue is resumed when the last one is skipped, and not before. */
export async function skipAllAndResume(
  context: DecisionContext,
  queue: QueueDefinition,
  decision: Decision,
): Promise<Started<SkippedAll>> {
  const who = { actor: decision.actor, reason: reasonOf(decision) };
  return decideOverFailed(context, queue, {
    action: "skip-all-and-resume",
    transaction: (work) => context.store.transaction("skip-all-and-resume", work),
    audited: "queue.skip-all-and-resume",
    decision: who,
    callsBeforeSkip: true,
    atOnce: async (tx, jobs, row, findings) => {
      await skipJobs(tx, queue, jobs, who, findings);
      const resumedAt = tx.now();
      const changed = row.state !== "open";
      if (changed) await openQueue(tx, queue, decision, resumedAt);
      return { skipped: jobs.length, changed, resumedAt };
    },
    resultOf: ({ done, createdAt, result: { changed = false, resumedAt = createdAt } }) => ({
      skipped: done,
      changed,
      resumedAt,
    }),
  });
}
