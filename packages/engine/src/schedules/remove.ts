import { AndonError, type Decision } from "@andon/contract";
import type { Store } from "../ports/store.ts";
import { type InTransaction, inTransaction } from "./in-transaction.ts";

/** Removes a schedule. Jobs that it has added stay. */
export async function removeSchedule(
  store: Store,
  name: string,
  decision: Decision,
  options: InTransaction,
): Promise<void> {
  await inTransaction(store, "schedule.remove", options, async (tx) => {
    const before = await tx.lockSchedule(name);
    if (!before) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: name });
    await tx.dropSchedule(before.id);
    await tx.addAudit({
      actor: decision.actor,
      action: "schedule.remove",
      target: `schedule:${name}`,
      reason: decision.reason?.trim() || null,
      before,
      after: null,
    });
  });
}
