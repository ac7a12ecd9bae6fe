import type { AppQueue } from "@andon/app";
import type { DecideEach, Queue } from "@andon/engine";

type DecideOne = NonNullable<DecideEach["cancel"]>;

/**
 * Applies an app's own rules to each job of a bulk decision and to held-back decisions, just as the routes for a single job
 * do.
 */
export function decideEachOf(own: AppQueue, queue: () => Queue<unknown>): DecideEach | undefined {
  const { mayDecide, decide, beforeSkip } = own;
  if (!mayDecide && !decide) return undefined;
  const byRules =
    (action: keyof DecideEach, otherwise: DecideOne): DecideOne =>
    async (job, decision, at) => {
      await mayDecide?.(job, action);
      const own = decide?.[action];
      await (own ? own(job, decision, { ofMany: true }) : otherwise(job, decision, at));
    };
  return {
    retry: byRules("retry", (job, decision) => queue().retry(job.id, decision)),
    skip: byRules("skip", async (job, decision) => {
      const findings = await beforeSkip?.(job);
      await queue().skip(job.id, decision, new Map([[job.id, findings]]));
    }),
    cancel: byRules("cancel", (job, decision, at) => queue().cancel(job.id, decision, { at })),
  };
}
