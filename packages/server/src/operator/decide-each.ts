import type { AppQueue } from "@andon/app";
import type { Decision, Job } from "@andon/contract";
import type { DecideEach, Queue } from "@andon/engine";

/** What decisions over many jobs do to each where its app has rules of its own: the same as the routes for a single job. */
export function decideEachOf(own: AppQueue, queue: () => Queue<unknown>): DecideEach | undefined {
  const { mayDecide, decide, beforeSkip } = own;
  if (!mayDecide && !decide) return undefined;
  const byRules =
    (action: keyof DecideEach, otherwise: (job: Job, decision: Decision) => Promise<unknown>) =>
    async (job: Job, decision: Decision) => {
      await mayDecide?.(job, action);
      await (decide?.[action] ?? otherwise)(job, decision, { ofMany: true });
    };
  return {
    retry: byRules("retry", (job, decision) => queue().retry(job.id, decision)),
    skip: byRules("skip", async (job, decision) => {
      const findings = await beforeSkip?.(job);
      await queue().skip(job.id, decision, new Map([[job.id, findings]]));
    }),
    cancel: byRules("cancel", (job, decision) => queue().cancel(job.id, decision)),
  };
}
