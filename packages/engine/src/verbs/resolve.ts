import { AndonError, type Decision, isBlank } from "@andon/contract";
import { guard } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store, StoreTx } from "../ports/store.ts";
import { type Findings, type QueueDefinition, runHook } from "../queue-definition.ts";
import { findJob } from "./find-job.ts";
import { releaseFailureHolds } from "./retry.ts";

/** An operator settled a failed job by hand and the line goes on without it. The reason is kept as the resolution. */
export async function resolve(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  findings?: Findings,
): Promise<void> {
  const reason = reasonOf(decision);
  await store.transaction("resolve", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, found.keys);
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    guard(job, "resolve");
    await settle(tx, queue, [job], { actor: decision.actor, reason }, findings);
  });
  store.signal({ kind: "work", queue: queue.name });
}

/** A decision that somebody will read later needs a reason. */
export function reasonOf(decision: Decision): string {
  const reason = decision.reason?.trim() ?? "";
  if (isBlank(reason)) throw new AndonError("REASON_REQUIRED");
  return reason;
}

/** Settles failed jobs, which are locked with their lanes. */
export async function settle(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  who: Resolver,
  findings?: Findings,
): Promise<void> {
  await bringToResolved(tx, queue, jobs, who, findings);
  for (const job of jobs) {
    await tx.addAudit({
      ...who,
      action: "job.resolve",
      target: `job:${job.id}`,
      before: { state: "failed", error: job.error },
      after: { state: "resolved" },
    });
  }
}

type Resolver = { actor: string; reason: string | null };

/** All of it but the audit row, which is the decision's own. */
export async function bringToResolved(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  { actor, reason }: Resolver,
  findings?: Findings,
): Promise<void> {
  const at = tx.now();
  await releaseFailureHolds(tx, queue.name, jobs);
  const resolution = { actor, reason, at };
  await moveJobs(tx, jobs, "resolve", { to: "resolved", at }, { resolution });
  await runHook(
    queue,
    "resolved",
    jobs.map((job) => ({ ...job, state: "resolved" as const, finishedAt: at, resolution })),
    tx,
    findings,
  );
  for (const job of jobs) tx.event("job.resolved", queue.name, job.id, { actor, reason });
}
