import { AndonError, type Decision, type Lane } from "@andon/contract";
import type { Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { cancelWaiting } from "./cancel.ts";
import { SYSTEM } from "./final-failure.ts";
import { lockWaiting } from "./lock-waiting.ts";
import { passBlockedProbeOn, passProbeOn } from "./probe.ts";

/** An operator holds a lane, which need not have had a job yet: nothing more of it starts; what runs finishes. */
export async function hold(
  store: Store,
  queue: string,
  key: string,
  decision: Decision,
): Promise<{ changed: boolean }> {
  const result = await store.transaction("hold", async (tx) => {
    const row = await tx.lockQueue(queue, "exclusive");
    await tx.ensureLanes(queue, [key]);
    const lane = await lockLane(tx, queue, key);
    if (lane.held?.kind === "hand") return { changed: false };
    const held = {
      at: tx.now(),
      kind: "hand" as const,
      by: decision.actor,
      reason: decision.reason?.trim() || null,
      jobId: lane.held?.jobId ?? null,
    };
    await tx.blockHead(queue, key);
    await tx.holdLanes(queue, [key], held);
    await passBlockedProbeOn(tx, row);
    await record(tx, "lane.hold", queue, key, decision, { held: lane.held }, { held });
    tx.event("lane.held", queue, held.jobId, { key, kind: "hand", by: decision.actor, reason: held.reason });
    return { changed: true };
  });
  store.signal({ kind: "work", queue });
  return result;
}

/** An operator lets a lane go on that was held by hand. One held by a failed job goes on when that job is settled. */
export async function release(
  store: Store,
  queue: string,
  key: string,
  decision: Decision,
): Promise<{ changed: boolean }> {
  const result = await store.transaction("release", async (tx) => {
    await tx.lockQueue(queue, "exclusive");
    const lane = await lockLane(tx, queue, key);
    if (lane.held === null) return { changed: false };
    const failed = lane.held.jobId === null ? undefined : await tx.job({ id: lane.held.jobId });
    if (lane.held.kind === "failure") {
      throw new AndonError("LANE_HELD_BY_FAILURE", { key, job: lane.held.jobId });
    }
    await tx.releaseLanes(queue, [key]);
    if (failed?.state === "failed") {
      const { jobId } = lane.held;
      const held = {
        at: lane.held.at,
        kind: "failure" as const,
        by: SYSTEM,
        reason: failed.error?.code ?? null,
        jobId,
      };
      await tx.holdLanes(queue, [key], held);
    } else await tx.admitHeads(queue, [key]);
    await record(tx, "lane.release", queue, key, decision, { held: lane.held }, { held: null });
    tx.event("lane.released", queue, lane.held.jobId, { key, by: decision.actor });
    return { changed: true };
  });
  store.signal({ kind: "work", queue });
  return result;
}

/** An operator cancels all that waits in a lane; what runs or stands failed there stays. */
export async function cancelRest(
  store: Store,
  queue: QueueDefinition,
  key: string,
  decision: Decision,
): Promise<{ cancelled: number }> {
  const { name } = queue;
  const cancelled = await store.transaction("cancel-rest", async (tx) => {
    const row = await tx.lockQueue(name, "exclusive");
    const { lanes, jobs } = await lockWaiting(tx, name, key);
    if (!lanes.some((lane) => lane.key === key)) throw new AndonError("LANE_NOT_FOUND", { queue: name, key });
    const who = { actor: decision.actor, reason: decision.reason?.trim() || null };
    await cancelWaiting(tx, queue, jobs, who, tx.now());
    for (const job of jobs) await passProbeOn(tx, row, job.id);
    await record(
      tx,
      "lane.cancel-rest",
      name,
      key,
      decision,
      { waiting: jobs.length },
      { cancelled: jobs.map((job) => job.id) },
    );
    return jobs.length;
  });
  store.signal({ kind: "work", queue: name });
  return { cancelled };
}

async function lockLane(tx: StoreTx, queue: string, key: string): Promise<Lane> {
  const [lane] = await tx.lockLanes(queue, [key]);
  if (!lane) throw new AndonError("LANE_NOT_FOUND", { queue, key });
  return lane;
}

async function record(
  tx: StoreTx,
  action: string,
  queue: string,
  key: string,
  decision: Decision,
  before: unknown,
  after: unknown,
): Promise<void> {
  const reason = decision.reason?.trim() || null;
  await tx.addAudit({ actor: decision.actor, action, target: `lane:${queue}/${key}`, reason, before, after });
}
