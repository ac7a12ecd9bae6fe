import { AndonError, type Decision } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import type { Store } from "../ports/store.ts";
import { findJob } from "./find-job.ts";
import { joinLine } from "./promote.ts";

/** Puts a scheduled job in line now, before its time or the end of its back-off. */
export async function runNow(store: Store, queue: string, jobId: string, decision: Decision): Promise<void> {
  await store.transaction("run-now", async (tx) => {
    const found = await findJob(tx, queue, jobId, decision);
    await tx.lockQueue(queue, "exclusive");
    await tx.ensureLanes(queue, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    guard(job, "runNow");
    await joinLine(tx, queue, [job], "runNow");
    const after = await tx.job({ pos: job.pos });
    await tx.addAudit({
      actor: decision.actor,
      action: "job.run-now",
      target: `job:${job.id}`,
      reason: decision.reason?.trim() || null,
      before: { state: "scheduled", runAt: job.runAt },
      after: { state: after?.state },
    });
    tx.event("job.run-now", queue, job.id, { actor: decision.actor });
  });
  store.signal({ kind: "work", queue });
}
