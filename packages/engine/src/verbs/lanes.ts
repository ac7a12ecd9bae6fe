import { AndonError, type Decision } from "@andon/contract";
import { type LaneId, laneOf } from "../lanes/lane-id.ts";
import { isHeldByOperation } from "../operations/lane-hold.ts";
import type { LaneRow, Store, StoreTx } from "../ports/store.ts";
import { SYSTEM } from "../system-actor.ts";
import { passBlockedProbeOn } from "./probe.ts";

/** Holds a lane, which need not have had a job yet: no more of its jobs start, and running ones finish. */
export async function hold(
  store: Store,
  queue: string,
  id: LaneId,
  decision: Decision,
): Promise<{ changed: boolean }> {
  const result = await store.transaction("hold", async (tx) => {
    const row = await tx.lockQueue(queue, "exclusive");
    await tx.ensureLanes(queue, [id]);
    const lane = await lockLane(tx, queue, id);
    // An operation releases its own hold at its end, so a person's hold replaces it.
    if (lane.held?.kind === "hand" && !isHeldByOperation(lane.held)) return { changed: false };
    const held = {
      at: tx.now(),
      kind: "hand" as const,
      by: decision.actor,
      reason: decision.reason?.trim() || null,
      jobId: lane.held?.jobId ?? null,
    };
    await tx.blockHead(queue, id);
    await tx.holdLanes(queue, [id], held);
    await passBlockedProbeOn(tx, row);
    await record(tx, "lane.hold", lane, decision, { held: lane.held }, { held });
    const { key, tenant } = lane;
    const told = { key, kind: "hand" as const, by: decision.actor, reason: held.reason };
    tx.event("lane.held", queue, held.jobId, told, { tenant });
    return { changed: true };
  });
  store.signal({ kind: "work", queue });
  return result;
}

/** Releases a lane that was held by hand. A lane held by a failed job is released when that job is settled. */
export async function release(
  store: Store,
  queue: string,
  id: LaneId,
  decision: Decision,
): Promise<{ changed: boolean }> {
  const result = await store.transaction("release", async (tx) => {
    await tx.lockQueue(queue, "exclusive");
    const lane = await lockLane(tx, queue, id);
    if (lane.held === null) return { changed: false };
    if (isHeldByOperation(lane.held))
      throw new AndonError("LANE_HELD_BY_OPERATION", { key: lane.key, by: lane.held.by });
    const failed = lane.held.jobId === null ? undefined : await tx.job({ id: lane.held.jobId });
    if (lane.held.kind === "failure") {
      throw new AndonError("LANE_HELD_BY_FAILURE", { key: lane.key, job: lane.held.jobId });
    }
    await tx.releaseLanes(queue, [id]);
    if (failed?.state === "failed") {
      const { jobId } = lane.held;
      const held = {
        at: lane.held.at,
        kind: "failure" as const,
        by: SYSTEM,
        reason: failed.error?.code ?? null,
        jobId,
      };
      await tx.holdLanes(queue, [id], held);
    } else await tx.admitHeads(queue, [id]);
    await record(tx, "lane.release", lane, decision, { held: lane.held }, { held: null });
    const { key, tenant } = lane;
    tx.event("lane.released", queue, lane.held.jobId, { key, by: decision.actor }, { tenant });
    return { changed: true };
  });
  store.signal({ kind: "work", queue });
  return result;
}

async function lockLane(tx: StoreTx, queue: string, id: LaneId): Promise<LaneRow> {
  const [lane] = await tx.lockLanes(queue, [id]);
  if (!lane) throw new AndonError("LANE_NOT_FOUND", { queue, key: laneOf(id).key });
  return lane;
}

async function record(
  tx: StoreTx,
  action: string,
  { queue, key, tenant }: LaneRow,
  decision: Decision,
  before: unknown,
  after: unknown,
): Promise<void> {
  const reason = decision.reason?.trim() || null;
  const target = `lane:${queue}/${key}`;
  await tx.addAudit({ actor: decision.actor, action, target, tenant, reason, before, after });
}
