import { endedStage, outputsWith } from "../lifecycle/stages.ts";
import type { JobPatch, StoreTx } from "../ports/store.ts";
import { afterAttempt, type EndedClaim } from "./claimed-job.ts";

/**
 * Writes the completed stage of an ended claim into the history. Returns the patch of the job's row for the next stage;
 * undefined if the stage was the last one, or the job has no stages. `result` is JSON text.
 */
export async function completeStage(
  tx: StoreTx,
  ended: EndedClaim,
  result: string | null,
): Promise<JobPatch | undefined> {
  const { job, running } = ended;
  const stage = job.stages[job.stages.indexOf(job.stage ?? "") + 1];
  if (job.stage === null || stage === undefined) return undefined;
  const facts = { at: tx.now(), fence: running.fence, attempts: job.attempts + 1 };
  await tx.saveStage(endedStage(job, "completed", facts));
  return {
    ...afterAttempt(ended),
    stage,
    outputs: outputsWith(job, result),
    attempts: 0,
    stalled: 0,
    cursor: null,
    error: null,
    stageStartedAt: null,
    stageElapsed: 0,
  };
}
