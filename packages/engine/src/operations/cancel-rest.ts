import { AndonError, type Decision } from "@andon/contract";
import { type LaneId, laneOf } from "../lanes/lane-id.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { cancelWaiting } from "../verbs/cancel.ts";
import { lockWaiting } from "../verbs/lock-waiting.ts";
import { passBlockedProbeOn, passProbeOn } from "../verbs/probe.ts";
import type { DecisionContext } from "./decide-over-failed.ts";
import { holdForOperation } from "./lane-hold.ts";
import { newOperation } from "./new-operation.ts";
import type { Started } from "./operations.ts";

/**
 * Cancels the jobs that wait in a lane; its running and failed jobs stay. If many wait, they are cancelled in steps,
 * and the lane is held meanwhile.
 */
export async function cancelRest(
  { store, operations }: DecisionContext,
  queue: QueueDefinition,
  id: LaneId,
  decision: Decision,
): Promise<Started<{ cancelled: number }>> {
  const { name } = queue;
  const { key, tenant } = laneOf(id);
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  const decided = await store.transaction("cancel-rest", async (tx) => {
    const row = await tx.lockQueue(name, "exclusive");
    const { lanes, jobs } = await lockWaiting(tx, name, id);
    const lane = lanes.find((one) => one.id === id);
    if (!lane) throw new AndonError("LANE_NOT_FOUND", { queue: name, key });
    const record = (before: unknown, after: unknown) =>
      tx.addAudit({
        ...who,
        action: "lane.cancel-rest",
        target: `lane:${name}/${key}`,
        tenant,
        before,
        after,
      });
    if (jobs) {
      await cancelWaiting(tx, queue, jobs, who, tx.now());
      for (const job of jobs) await passProbeOn(tx, row, job.id);
      await record({ waiting: jobs.length }, { cancelled: jobs.map((job) => job.id) });
      return { cancelled: jobs.length };
    }
    const given = { queue: name, ...who, tenant, details: { lane: id }, driver: operations.name };
    const operation = newOperation(tx.now(), "cancel-rest", given);
    await tx.addOperation(operation);
    await holdForOperation(tx, operation);
    await passBlockedProbeOn(tx, row);
    await record({ depth: lane.depth }, { operation: operation.id });
    return { operation };
  });
  if (decided.operation) return operations.start(decided.operation, ({ done }) => ({ cancelled: done }));
  store.signal({ kind: "work", queue: name });
  const { cancelled = 0 } = decided;
  return { id: null, total: cancelled, finished: Promise.resolve({ cancelled }) };
}
