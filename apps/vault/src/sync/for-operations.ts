import type { Job } from "@andon/contract";
import type { QueueHooks, Tx } from "@andon/engine";
import { syncPayloadOf } from "./payload.ts";

const OF_A_JOB = ["failed", "skipped", "resolved", "cancelled", "retried"] as const;

/** Hooks about operations alone: a job that is none concerns no file, and what is decided about it changes none. */
export function forOperations(hooks: QueueHooks): QueueHooks {
  const guarded = OF_A_JOB.map((name) => {
    const hook = hooks[name];
    return [
      name,
      async (job: Job, tx: Tx, findings?: unknown) => {
        if (syncPayloadOf(job)) await hook?.(job, tx, findings);
      },
    ] as const;
  });
  return { ...hooks, ...Object.fromEntries(guarded) };
}
