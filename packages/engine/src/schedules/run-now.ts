import { AndonError, type Decision } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { jobOf } from "./fire.ts";

/**
 * Adds a schedule's job now, by a person's decision. Its due times do not change, and an inactive schedule stays
 * inactive.
 */
export async function runScheduleNow(
  store: Store,
  name: string,
  decision: Decision,
): Promise<{ jobId: string }> {
  return store.transaction("schedule.run-now", async (tx) => {
    const schedule = await tx.lockSchedule(name);
    if (!schedule) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: name });
    const { queue } = schedule;
    const at = tx.now();
    const job = jobOf(schedule, at, at);
    await tx.ensureQueue(queue);
    const [placed] = await tx.enqueue(queue, true, [
      { ...job, runAt: null, idempotencyKey: `schedule:${schedule.id}:now:${job.id}` },
    ]);
    const jobId = placed?.id ?? job.id;
    tx.event("schedule.fired", queue, jobId, { schedule: name, dueAt: at });
    await tx.addAudit({
      actor: decision.actor,
      action: "schedule.run-now",
      target: `schedule:${name}`,
      reason: decision.reason?.trim() || null,
      before: null,
      after: { jobId },
    });
    return { jobId };
  });
}
