import type { Decision } from "@andon/contract";
import type { OperationRow, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { dropOldPlans, PURGED_STATES, purgeBefore } from "../verbs/purge.ts";
import type { DecisionContext } from "./decide-over-failed.ts";
import { newOperation } from "./new-operation.ts";
import type { Started } from "./operations.ts";
import { stillMine } from "./step.ts";
import type { StepSize } from "./step-size.ts";

/**
 * A person's decision to delete jobs past the queue's retention. It is an operation, since their number is not known
 * beforehand.
 */
export async function startPurge(
  { store, operations }: DecisionContext,
  queue: QueueDefinition,
  decision: Decision,
): Promise<Started<number>> {
  const { name } = queue;
  const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
  // Recorded before anything is deleted, so that a crash in the middle never leaves a deletion without its decision.
  const operation = await store.transaction("purge-decided", async (tx) => {
    const before = purgeBefore(queue, tx.now());
    const given = { queue: name, ...who, details: { before }, list: "", driver: operations.name };
    const begun = newOperation(tx.now(), "purge", given);
    await tx.addOperation(begun);
    const after = { keep: queue.rules.keep, operation: begun.id };
    await tx.addAudit({ ...who, action: "queue.purge", target: `queue:${name}`, before: null, after });
    return begun;
  });
  return operations.start(operation, ({ done }) => done);
}

/** Whether all its ranges are empty. */
export function isPurged({ nextStep }: OperationRow): boolean {
  return nextStep >= PURGED_STATES.length;
}

/** Deletes the next oldest jobs in the current state; when none is left, the next state follows. */
export async function purgeStep(
  store: Store,
  queue: QueueDefinition,
  seen: OperationRow,
  size: StepSize,
): Promise<OperationRow | undefined> {
  const { jobs } = size;
  let begun = 0;
  const after = await store.transaction("operation-step", async (tx) => {
    begun = store.clock.monotonic();
    const operation = await stillMine(tx, seen);
    if (!operation) return undefined;
    const state = PURGED_STATES[operation.nextStep] as (typeof PURGED_STATES)[number];
    const before = operation.details.before?.[state === "done" ? "done" : "ended"] ?? 0;
    const { gone, isOver } = await tx.purge(queue.name, state, before, jobs);
    const stepped: OperationRow = {
      ...operation,
      done: operation.done + gone,
      total: operation.total + gone,
      nextStep: operation.nextStep + (isOver ? 1 : 0),
      nextItem: isOver ? 0 : operation.nextItem + 1,
    };
    await tx.saveOperation(stepped);
    return stepped;
  });
  size.took(store.clock.monotonic() - begun, jobs);
  if (after && isPurged(after)) await dropOldPlans(store, queue.name);
  return after;
}
