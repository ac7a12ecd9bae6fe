import type { OperationRow, StoreTx } from "../ports/store.ts";

/** Who holds a lane while its waiting jobs are cancelled in steps: none of them may start in between. */
const holderOf = (operationId: string) => `operation:${operationId}`;

export function isHeldByOperation(held: { by: string | null }): boolean {
  return held.by?.startsWith(holderOf("")) ?? false;
}

/** Holds a lane that is locked, unless somebody holds it already: then that keeps its jobs from starting. */
export async function holdForOperation(
  tx: StoreTx,
  { id, queue, reason, details }: OperationRow,
): Promise<void> {
  const key = details.key as string;
  const [lane] = await tx.lockLanes(queue, [key]);
  if (!lane || lane.held) return;
  const by = holderOf(id);
  await tx.blockHead(queue, key);
  await tx.holdLanes(queue, [key], {
    at: tx.now(),
    kind: "hand",
    by,
    reason,
    jobId: details.jobId ?? null,
  });
  tx.event("lane.held", queue, details.jobId ?? null, { key, kind: "hand", by, reason });
}

/** Opens the lane again, if it is still this operation that holds it. */
export async function releaseHoldOf(tx: StoreTx, { id, queue, details }: OperationRow): Promise<void> {
  const key = details.key as string;
  const [lane] = await tx.lockLanes(queue, [key]);
  if (lane?.held?.by !== holderOf(id)) return;
  await tx.releaseLanes(queue, [key]);
  await tx.admitHeads(queue, [key]);
  tx.event("lane.released", queue, details.jobId ?? null, { key, by: holderOf(id) });
}
