import type { AttemptOutcome } from "@andon/contract";
import { AndonError } from "@andon/contract";
import type { Failure } from "../lifecycle/failure.ts";
import type { Claim, JobPatch, JobRow, NewAttempt, RunningRow, StoreTx } from "../ports/store.ts";

/** A claim that was valid and is now ended: only the verb that ended it decides what happens to the job. */
export interface EndedClaim {
  readonly job: JobRow;
  readonly running: RunningRow;
}

/** A claim to be ended, with its handler's last progress if this process knows it. */
export type Endable = Pick<Claim, "pos" | "fence"> & Partial<Pick<Claim, "progress">>;

/** Ends a claim, or throws CLAIM_LOST: a late write of a worker that lost its lease is refused here. */
export async function endClaim(tx: StoreTx, { pos, fence, progress = null }: Endable): Promise<EndedClaim> {
  const [job] = await tx.lockJobs([pos]);
  const running = job && (await tx.takeRunning(pos, fence));
  if (!job || !running) throw new AndonError("CLAIM_LOST", { job: job?.id ?? pos });
  const ended = { job: withStageTime(job, running, tx.now()), running };
  if (progress === null) return ended;
  await tx.saveJobs([pos], { progress });
  return { ...ended, job: { ...ended.job, progress: JSON.parse(progress) } };
}

/** Adds the duration of this claim to the job's time in its stage. */
function withStageTime(job: JobRow, { startedAt }: RunningRow, now: number): JobRow {
  if (job.stage === null) return job;
  return {
    ...job,
    stageStartedAt: job.stageStartedAt ?? startedAt,
    stageElapsed: job.stageElapsed + Math.max(0, now - startedAt),
  };
}

/** The history row of an attempt without success. */
export function attemptOf(
  { job, running }: EndedClaim,
  outcome: AttemptOutcome,
  at: number,
  failure?: Failure,
): NewAttempt {
  return {
    pos: job.pos,
    fence: running.fence,
    number: job.attempts + 1,
    stage: job.stage,
    outcome,
    worker: running.worker,
    startedAt: running.startedAt,
    finishedAt: at,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    stack: failure?.stack ?? null,
    texts: failure?.texts ?? null,
  };
}

/** What every end of an attempt writes into the job's row. */
export function afterAttempt({ job, running }: EndedClaim): JobPatch {
  const patch = { fence: running.fence, worker: running.worker, startedAt: running.startedAt };
  if (job.stage === null) return patch;
  return { ...patch, stageStartedAt: job.stageStartedAt, stageElapsed: job.stageElapsed };
}
