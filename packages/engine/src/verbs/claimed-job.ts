import type { AttemptOutcome } from "@andon/contract";
import { AndonError } from "@andon/contract";
import type { Failure } from "../lifecycle/failure.ts";
import type { Claim, JobRow, NewAttempt, RunningRow, StoreTx } from "../ports/store.ts";

/** A claim that still stood and is now ended: what the verb decides becomes of the job is the only thing that can. */
export interface EndedClaim {
  readonly job: JobRow;
  readonly running: RunningRow;
}

/** Ends a claim, or throws CLAIM_LOST: a late write of a worker that lost its lease is refused here. */
export async function endClaim(tx: StoreTx, claim: Pick<Claim, "pos" | "fence">): Promise<EndedClaim> {
  const [job] = await tx.lockJobs([claim.pos]);
  const running = job && (await tx.takeRunning(claim.pos, claim.fence));
  if (!job || !running) throw new AndonError("CLAIM_LOST", { job: job?.id ?? claim.pos });
  return { job, running };
}

/** The row of history that an attempt without success leaves. */
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
    outcome,
    worker: running.worker,
    startedAt: running.startedAt,
    finishedAt: at,
    code: failure?.code ?? null,
    message: failure?.message ?? null,
    stack: failure?.stack ?? null,
  };
}

/** What every end of an attempt writes into the job's row. */
export function afterAttempt({ running }: EndedClaim) {
  return { fence: running.fence, worker: running.worker, startedAt: running.startedAt };
}
