import { AndonError, type Decision, isBlank } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store, StoreTx } from "../ports/store.ts";
import { type Findings, type QueueDefinition, runHook } from "../queue-definition.ts";
import { findJob } from "./find-job.ts";
import { releaseFailureHolds } from "./retry.ts";

export interface SkipOptions {
  /** The action in the audit log. Default: `job.skip`. */
  action?: string | undefined;
  /** Whether the decision must have a reason. Default: true. */
  needsReason?: boolean | undefined;
}

/**
 * Skips a failed job: its state becomes `resolved`, and the queue continues without it. The reason is kept as the
 * resolution.
 */
export async function skip(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
  findings?: Findings,
  { action, needsReason = true }: SkipOptions = {},
): Promise<void> {
  const reason = needsReason ? reasonOf(decision) : decision.reason?.trim() || null;
  await store.transaction("skip", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    guard(job, "skip");
    await skipJobs(tx, queue, [job], { actor: decision.actor, reason }, findings, action);
  });
  store.signal({ kind: "work", queue: queue.name });
}

/** The reason of a decision that must have one. */
export function reasonOf(decision: Decision): string {
  const reason = decision.reason?.trim() ?? "";
  if (isBlank(reason)) throw new AndonError("REASON_REQUIRED");
  return reason;
}

/** Skips failed jobs, which are locked with their lanes, with an audit row for each. */
export async function skipJobs(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  who: Resolver,
  findings?: Findings,
  action = "job.skip",
): Promise<void> {
  await moveToResolved(tx, queue, jobs, who, findings);
  for (const job of jobs) {
    await tx.addAudit({
      ...who,
      action,
      target: `job:${job.id}`,
      before: { state: "failed", error: job.error },
      after: { state: "resolved" },
    });
  }
}

type Resolver = { actor: string; reason: string | null };

/** The same without audit rows, for a decision that writes its own. */
export async function moveToResolved(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  { actor, reason }: Resolver,
  findings?: Findings,
): Promise<void> {
  const at = tx.now();
  await releaseFailureHolds(tx, queue.name, jobs);
  const resolution = { actor, reason, at };
  await moveJobs(tx, jobs, "skip", { to: "resolved", at }, { resolution });
  await runHook(
    queue,
    "resolved",
    jobs.map((job) => ({ ...job, state: "resolved" as const, finishedAt: at, resolution })),
    tx,
    findings,
  );
  await queue.hooks.failuresSettled?.(jobs, tx);
  for (const job of jobs) tx.event("job.resolved", queue.name, job.id, { actor, reason });
}
