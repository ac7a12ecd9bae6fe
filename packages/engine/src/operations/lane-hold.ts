import { type LaneId, laneOf } from "../lanes/lane-id.ts";
import type { OperationRow, StoreTx } from "../ports/store.ts";

/** The holder of a lane while its waiting jobs are cancelled in steps: none of them may start in between. */
const holderOf = (operationId: string) => `operation:${operationId}`;

export function isHeldByOperation(held: { by: string | null }): boolean {
  return held.by?.startsWith(holderOf("")) ?? false;
}

/** Holds a lane, unless it is held already: then that hold keeps its jobs from starting. */
export async function holdForOperation(
  tx: StoreTx,
  { id, queue, reason, details }: OperationRow,
): Promise<void> {
  const lane = details.lane as LaneId;
  const { key, tenant } = laneOf(lane);
  const [row] = await tx.lockLanes(queue, [lane]);
  if (!row || row.held) return;
  const by = holderOf(id);
  await tx.blockHead(queue, lane);
  await tx.holdLanes(queue, [lane], {
    at: tx.now(),
    kind: "hand",
    by,
    reason,
    jobId: details.jobId ?? null,
  });
  tx.event("lane.held", queue, details.jobId ?? null, { key, kind: "hand", by, reason }, { tenant });
}

/** Releases the lane, if this operation still holds it. */
export async function releaseHoldOf(tx: StoreTx, { id, queue, details }: OperationRow): Promise<void> {
  const lane = details.lane as LaneId;
  const { key, tenant } = laneOf(lane);
  const [row] = await tx.lockLanes(queue, [lane]);
  if (row?.held?.by !== holderOf(id)) return;
  await tx.releaseLanes(queue, [lane]);
  await tx.admitHeads(queue, [lane]);
  tx.event("lane.released", queue, details.jobId ?? null, { key, by: holderOf(id) }, { tenant });
}
