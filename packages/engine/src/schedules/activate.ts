import { AndonError, type Decision } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { runTimes } from "./run-times.ts";

/** Lets a schedule fire or keeps it from firing. Times that pass meanwhile are not due: nobody missed them. */
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
