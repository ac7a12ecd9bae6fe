import { AndonError, type Decision, type JobState } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import { type Destination, moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { type AuditNoun, DEFAULT_NOUN } from "./abort.ts";
import { findJob } from "./find-job.ts";
import { releaseFailureHolds } from "./retry.ts";

export interface ResumedJob {
  jobId: string;
  state: JobState;
  oldTicket: string;
  ticket: string;
}

/**
 * Resumes an aborted or failed job from its cursor: fresh attempts, a new ticket, at the end of its lanes. A job whose
 * time has not come is scheduled again. Its abort request is deleted.
 */
export async function resumeJob(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  { noun = DEFAULT_NOUN }: AuditNoun = {},
): Promise<ResumedJob> {
  const resumed = await store.transaction("resume-job", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    await tx.ensureLanes(queue.name, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    guard(job, "resume");
    await tx.dropAbortWishes([job.pos]);
    await tx.markResumed(job.pos);
    await toTheEnd(tx, queue.name, job);
    const after = (await tx.job({ pos: job.pos })) as JobRow;
    await runHook(queue, "retried", [after], tx);
    const { actor, reason } = decision;
    await tx.addAudit({
      actor,
      reason: reason?.trim() || null,
      action: `${noun}.resume`,
      target: `job:${job.id}`,
      tenant: job.tenant,
      before: { state: job.state, attempts: job.attempts, error: job.error, cursor: job.cursor },
      after: { state: after.state, attempts: 0, cursor: job.cursor },
    });
    tx.event("job.resumed", queue.name, job.id, { actor, state: after.state });
    return { jobId, state: after.state, oldTicket: job.ticket, ticket: after.ticket };
  });
  store.signal(resumed.state === "scheduled" ? { kind: "timer" } : { kind: "work", queue: queue.name });
  return resumed;
}

/** A failed job still has its places in its lanes: it leaves them, so that the jobs behind it run first. */
async function toTheEnd(tx: StoreTx, queue: string, job: JobRow): Promise<void> {
  if (job.state === "failed") {
    await releaseFailureHolds(tx, queue, [job]);
    await tx.leaveLanes(queue, [job.pos]);
  }
  const { runAt } = job;
  const isEarly = runAt !== null && runAt > tx.now();
  if (!isEarly && job.keys.length > 0) await tx.joinLanes(queue, [job]);
  const destination: Destination = isEarly ? { to: "scheduled", due: runAt, kind: "later" } : { to: "line" };
  await moveJobs(tx, [job], "resume", destination, {
    attempts: 0,
    stalled: 0,
    ticket: "draw",
    error: null,
    finishedAt: null,
    resolution: null,
  });
}
