import { AndonError, type Decision } from "@andon/contract";
import type { OperationRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { reasonOf } from "../verbs/skip.ts";
import type { DecisionContext } from "./decide-over-failed.ts";
import { newOperation } from "./new-operation.ts";
import type { Started } from "./operations.ts";
import { stillMine } from "./step.ts";
import type { StepSize } from "./step-size.ts";

/**
 * Deletes a queue and all its rows. The queue must be stopped, so that none of its jobs can be claimed, and have no
 * running job and no worker. The audit row is written first, so that a deletion that a crash interrupts has its
 * decision on record.
 */
export async function startDeleteQueue(
  { store, operations }: DecisionContext,
  name: string,
  { isDefined }: { isDefined: boolean },
  decision: Decision,
): Promise<Started<number>> {
  const who = { actor: decision.actor, reason: reasonOf(decision) };
  const workers = (await store.read.workers()).filter((worker) => worker.queues.includes(name));
  const operation = await store.transaction("delete-queue-decided", async (tx) => {
    const counts = await tx.counts(name);
    await lockIdle(tx, name, workers.length);
    const given = { queue: name, ...who, details: { isDefined }, list: "", driver: operations.name };
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const begun = newOperation(tx.now(), "delete-queue", { ...given, total });
    await tx.addOperation(begun);
    const after = { operation: begun.id };
    await tx.addAudit({ ...who, action: "queue.delete", target: `queue:${name}`, before: counts, after });
    return begun;
  });
  return operations.start(operation, ({ done }) => done);
}

/** Deletes some of the queue's jobs or, if none is left, some of its other rows; the last step ends the operation. */
export async function deleteQueueStep(
  store: Store,
  queue: QueueDefinition,
  seen: OperationRow,
  size: StepSize,
): Promise<OperationRow | undefined> {
  const { jobs } = size;
  let begun = 0;
  const after = await store.transaction("operation-step", async (tx) => {
    await lockIdle(tx, queue.name, 0);
    begun = store.clock.monotonic();
    const operation = await stillMine(tx, seen);
    if (!operation) return undefined;
    const stepped = { ...operation, ...(await deleteSome(tx, queue, operation, jobs)) };
    await tx.saveOperation(stepped);
    return stepped;
  });
  size.took(store.clock.monotonic() - begun, jobs);
  return after;
}

async function deleteSome(
  tx: StoreTx,
  queue: QueueDefinition,
  { done, nextItem }: OperationRow,
  most: number,
): Promise<Partial<OperationRow>> {
  const { name } = queue;
  const positions = await tx.takeJobsOf(name, most);
  if (positions.length > 0) {
    const jobs = await tx.jobs(positions);
    await runHook(queue, "deleted", jobs, tx);
    await tx.deleteJobs(name, jobs);
    return { done: done + jobs.length, nextItem: nextItem + 1 };
  }
  if ((await tx.deleteLeftovers(name, most)) > 0) return { nextItem: nextItem + 1 };
  await tx.deleteQueue(name);
  return { total: done, state: "done", finishedAt: tx.now() };
}

async function lockIdle(tx: StoreTx, name: string, workers: number): Promise<void> {
  const row = await tx.lockQueue(name, "exclusive");
  const running = (await tx.runningOf({ queue: name })).length;
  if (row.state === "stopped" && running === 0 && workers === 0) return;
  throw new AndonError("QUEUE_IN_USE", { queue: name, state: row.state, running, workers });
}
