import { AndonError, type Decision } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { runTimes } from "./run-times.ts";

/**
 * Activates or deactivates a schedule. Times that pass while it is inactive are not due, and do not count as missed.
 */
export async function activateSchedule(
  store: Store,
  name: string,
  isActive: boolean,
  decision: Decision,
): Promise<{ changed: boolean }> {
  const changed = await store.transaction("schedule.activate", async (tx) => {
    const before = await tx.lockSchedule(name);
    if (!before) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: name });
    if (before.isActive === isActive) return false;
    const at = tx.now();
    const times = runTimes(before.cron, before.timeZone);
    const nextAt = isActive ? (times.after(Math.max(at, before.lastDueAt ?? 0)) ?? null) : null;
    await tx.saveSchedule({ ...before, isActive, nextAt, updatedAt: at });
    await tx.addAudit({
      actor: decision.actor,
      action: isActive ? "schedule.activate" : "schedule.deactivate",
      target: `schedule:${name}`,
      reason: decision.reason?.trim() || null,
      before: { isActive: before.isActive, nextAt: before.nextAt },
      after: { isActive, nextAt },
    });
    return true;
  });
  if (changed) store.signal({ kind: "schedule" });
  return { changed };
}
