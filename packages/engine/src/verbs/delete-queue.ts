import { AndonError, type Decision } from "@andon/contract";
import type { Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { reasonOf } from "./skip.ts";

const MOST_AT_ONCE = 500;

/**
 * Deletes a queue and everything of it, in bounded steps. It must be stopped, so that nothing of it can be claimed; nothing
 * of it may run, and nobody may work it. The audit row comes first: a crash in the middle leaves a decision that was half
 * carried out, and the same call goes on from there.
 */
export async function deleteQueue(store: Store, queue: QueueDefinition, decision: Decision): Promise<number> {
  const reason = reasonOf(decision);
  const { name } = queue;
  const workers = (await store.read.workers()).filter((worker) => worker.queues.includes(name));
  await store.transaction("delete-queue-decided", async (tx) => {
    const counts = await tx.counts(name);
    await lockIdle(tx, name, workers.length);
    await tx.addAudit({
      actor: decision.actor,
      reason,
      action: "queue.delete",
      target: `queue:${name}`,
      before: counts,
      after: null,
    });
  });
  let gone = 0;
  for (;;) {
    const some = await store.transaction("delete-queue", (tx) => deleteSome(tx, queue));
    if (some === "over") return gone;
    gone += some;
  }
}

async function lockIdle(tx: StoreTx, name: string, workers: number): Promise<void> {
  const row = await tx.lockQueue(name, "exclusive");
  const running = (await tx.runningOf({ queue: name })).length;
  if (row.state === "stopped" && running === 0 && workers === 0) return;
  throw new AndonError("QUEUE_IN_USE", { queue: name, state: row.state, running, workers });
}

async function deleteSome(tx: StoreTx, queue: QueueDefinition): Promise<number | "over"> {
  const { name } = queue;
  await lockIdle(tx, name, 0);
  const positions = await tx.takeJobsOf(name, MOST_AT_ONCE);
  if (positions.length > 0) {
    const jobs = await tx.jobs(positions);
    await runHook(queue, "deleted", jobs, tx);
    await tx.deleteJobs(name, jobs);
    return jobs.length;
  }
  if ((await tx.deleteLeftovers(name, MOST_AT_ONCE)) > 0) return 0;
  await tx.deleteQueue(name);
  return "over";
}
