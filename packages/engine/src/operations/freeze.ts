import type { LaneId } from "../lanes/lane-id.ts";
import type { ListItem, OperationRow, Store, StoreTx } from "../ports/store.ts";
import { ACTIONS } from "./actions.ts";
import { writeList } from "./list.ts";

/**
 * Writes the list of an operation that has none yet, and then starts it. The list is in the order of positions, so that
 * the job added first is first in line again. After a crash in the middle the list is written again from its start.
 * Returns undefined if another process has taken the operation. `withIds`: the list has the id of each job too.
 */
export async function freeze(
  store: Store,
  operation: OperationRow,
  { withIds }: { withIds: boolean },
): Promise<OperationRow | undefined> {
  const items: ListItem[] = [];
  for await (const batch of listed(store, operation)) {
    if (withIds) for (const { pos, id } of await store.read.readJobs(batch)) items.push([pos, id]);
    else for (const pos of batch) items.push([pos]);
  }
  items.sort(([a], [b]) => a - b);
  const { id, list, driver } = operation;
  // Two writers of one list would mix their rows, so only the driver writes.
  const isMine = (tx: StoreTx) => tx.beatOperation(id, driver as string);
  const isEmpty = await store.transaction("operation", async (tx) => {
    if (!(await isMine(tx))) return false;
    await tx.dropListBefore(list, Number.MAX_SAFE_INTEGER);
    return true;
  });
  if (!isEmpty || (await writeList(store, list, items, 0, isMine)) === undefined) return undefined;
  const started: OperationRow = { ...operation, state: "running", total: items.length };
  const isStarted = await store.transaction("operation", (tx) => tx.saveOperation(started));
  return isStarted ? started : undefined;
}

function listed(store: Store, { queue, action, details }: OperationRow): AsyncIterable<number[]> {
  return ACTIONS[action].list === "failed"
    ? store.read.endedPositions(queue, "failed", details.upTo ?? { at: 0, pos: 0 })
    : store.read.waitingPositions(queue, details.lane as LaneId);
}
