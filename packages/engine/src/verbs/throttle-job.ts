import { AndonError, type Decision, type Throttle } from "@andon/contract";
import type { BulkRow, JobRow, Store } from "../ports/store.ts";
import { type AuditNoun, DEFAULT_NOUN } from "./abort.ts";
import { findJob } from "./find-job.ts";

const ENDED: ReadonlySet<JobRow["state"]> = new Set(["done", "cancelled", "skipped", "resolved"]);

export interface ThrottleOptions extends AuditNoun {
  /**
   * The throttle that applied before the job had one of its own, for the audit log. Default: no pause and no ceiling.
   */
  preset?: Throttle | undefined;
}

/**
 * Changes the throttle of a job, from its next chunk on, or from its start. Members that are null are not changed. The
 * row is never locked for long: a chunk locks it just before its commit.
 */
export async function throttleJob(
  store: Store,
  queue: string,
  jobId: string,
  given: { pauseMs: number | null; maxPerSecond: number | null },
  decision: Decision,
  { noun = DEFAULT_NOUN, preset }: ThrottleOptions = {},
): Promise<Throttle> {
  const { actor, reason } = decision;
  const changed = await store.transaction("throttle-job", async (tx) => {
    const job = await findJob(tx, queue, jobId, decision);
    if (ENDED.has(job.state)) {
      const allowed = "scheduled, blocked, ready, running, parked, failed, aborted";
      throw new AndonError("JOB_STATE", { job: jobId, state: job.state, event: "throttle", allowed });
    }
    const known = await tx.bulk(job.pos);
    const before = preset && (known?.pauseMs ?? null) === null ? preset : shownThrottle(known);
    const throttle = shownThrottle(await tx.saveThrottle(job.pos, given));
    await tx.addAudit({
      actor,
      reason: reason?.trim() || null,
      action: `${noun}.throttle`,
      target: `job:${job.id}`,
      tenant: job.tenant,
      before,
      after: throttle,
    });
    tx.event("job.throttle-changed", queue, job.id, { actor, throttle });
    return throttle;
  });
  return changed;
}

function shownThrottle(bulk: BulkRow | undefined): Throttle {
  return { pauseMs: bulk?.pauseMs ?? 0, maxPerSecond: bulk?.maxPerSecond || null };
}
