import { AndonError, type Decision } from "@andon/contract";
import type { OperationRow, Store } from "../ports/store.ts";
import { releaseHoldOf } from "./lane-hold.ts";

/**
 * Ends a decision over many jobs between two of its steps: what is done stays done, the rest of its list is left
 * unchanged, and the action's `end` does not run. An operation that a failure policy started
 * (`cancel-rest-after-failure`) cannot be cancelled.
 */
export async function cancelOperation(store: Store, id: string, decision: Decision): Promise<OperationRow> {
  const { tenant, organization } = decision;
  const seen = await store.read.operation(id, { tenant, organization });
  if (!seen) throw new AndonError("OPERATION_NOT_FOUND", { operation: id });
  if (seen.finishedAt !== null) throw new AndonError("OPERATION_ENDED", { operation: id, state: seen.state });
  const cancelled = await store.transaction("cancel-operation", async (tx) => {
    await tx.lockQueue(seen.queue, "exclusive");
    const operation = await tx.lockOperation(id);
    if (!operation) throw new AndonError("OPERATION_NOT_FOUND", { operation: id });
    if (operation.finishedAt !== null || operation.action === "cancel-rest-after-failure")
      throw new AndonError("OPERATION_ENDED", { operation: id, state: operation.state });
    if (operation.action === "cancel-rest") await releaseHoldOf(tx, operation);
    const after: OperationRow = { ...operation, state: "cancelled", finishedAt: tx.now() };
    await tx.saveOperation(after);
    const { total, done, leftOut } = after;
    await tx.addAudit({
      actor: decision.actor,
      action: "operation.cancel",
      target: `operation:${id}`,
      reason: decision.reason?.trim() || null,
      before: { action: operation.action, by: operation.actor, total },
      after: { done, leftOut, notDone: total - done - leftOut },
    });
    return after;
  });
  store.signal({ kind: "work", queue: seen.queue });
  return cancelled;
}
