import { AndonError, type Decision } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import { moveJobs } from "../lifecycle/move.ts";
import type { JobRow, Store, StoreTx } from "../ports/store.ts";
import { type QueueDefinition, runHook } from "../queue-definition.ts";
import { DEFAULT_NOUN } from "./abort.ts";
import { findJob } from "./find-job.ts";

export interface Retried {
  jobId: string;
  oldTicket: string;
  ticket: string;
}

/** Retries a failed job: fresh attempts, a new ticket, its old place in the order. */
export async function retry(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  decision: Decision,
): Promise<Retried> {
  const retried = await store.transaction("retry", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    await tx.lockLanes(queue.name, lanesOf(found));
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    guard(job, "retry");
    await queueAgain(tx, queue, [job], decision);
    const after = await tx.job({ pos: job.pos });
    return { jobId, oldTicket: job.ticket, ticket: after?.ticket ?? job.ticket };
  });
  store.signal({ kind: "work", queue: queue.name });
  return retried;
}

/** Releases the lanes that these failed jobs hold; lanes that a person holds stay held. */
export async function releaseFailureHolds(
  tx: StoreTx,
  queue: string,
  jobs: readonly JobRow[],
): Promise<void> {
  const keys = [...new Set(jobs.flatMap(lanesOf))];
  const lanes = await tx.lockLanes(queue, keys);
  const ids = new Set(jobs.map((job) => job.id));
  const released = lanes.filter(({ held }) => held?.kind === "failure" && ids.has(held.jobId ?? ""));
  await tx.releaseLanes(
    queue,
    released.map((lane) => lane.id),
  );
  for (const { key, held } of released) tx.event("lane.released", queue, held?.jobId ?? null, { key });
}

/** Puts failed jobs, which are locked with their lanes, back in line. */
export async function queueAgain(
  tx: StoreTx,
  queue: QueueDefinition,
  jobs: readonly JobRow[],
  decision: Decision,
): Promise<void> {
  const name = queue.name;
  await releaseFailureHolds(tx, name, jobs);
  await tx.dropAbortWishes(jobs.map((job) => job.pos));
  const placed = await tx.inLanes(jobs.map((job) => job.pos));
  await tx.joinLanes(
    name,
    jobs.filter((job) => job.keys.length > 0 && !placed.has(job.pos)),
  );
  const ready = await moveJobs(
    tx,
    jobs,
    "retry",
    { to: "line" },
    { attempts: 0, stalled: 0, ticket: "draw", error: null, finishedAt: null },
  );
  if (queue.hooks.retried) await runHook(queue, "retried", await tx.jobs(jobs.map((job) => job.pos)), tx);
  await queue.hooks.failuresSettled?.(jobs, tx);
  for (const job of jobs) {
    await tx.addAudit({
      actor: decision.actor,
      action: `${queue.noun ?? DEFAULT_NOUN}.retry`,
      target: `job:${job.id}`,
      reason: decision.reason?.trim() || null,
      before: { state: "failed", attempts: job.attempts, error: job.error },
      after: { state: ready.has(job.pos) ? "ready" : "blocked", attempts: 0 },
    });
    tx.event("job.retried", name, job.id, { actor: decision.actor });
  }
}
