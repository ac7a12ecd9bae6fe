import type { JobRow, ListItem, OperationRow, Store, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import type { CancelledJobs } from "../verbs/cancel.ts";
import { ACTIONS } from "./actions.ts";

export interface Stepped {
  readonly operation: OperationRow;
  readonly cancelled: CancelledJobs;
  /** How long others may have waited for it. */
  readonly ms: number;
}

/** The next items of a list, and whether they end its row. */
export interface Slice {
  readonly items: readonly ListItem[];
  readonly endsRow: boolean;
}

const MOST_LISTED = 100;

/**
 * One step: applies the action to the next jobs of the list, and stores their records and the place in the list, in one
 * transaction. Jobs that are no longer in the required state are left out. Returns undefined if another process has
 * taken the operation or this step.
 */
export async function takeStep(
  store: Store,
  queue: QueueDefinition,
  seen: OperationRow,
  slice: Slice,
  findings: Findings | undefined,
): Promise<Stepped | undefined> {
  const positions = slice.items.map(([pos]) => pos);
  // A job's lanes never change, so they need not be read under the locks.
  const lanes = await store.read.laneIdsOf(positions);
  let begun = 0;
  const stepped = await store.transaction("operation-step", async (tx) => {
    const row = await tx.lockQueue(queue.name, "exclusive");
    begun = store.clock.monotonic();
    const operation = await stillMine(tx, seen);
    if (!operation) return undefined;
    const action = ACTIONS[operation.action];
    await tx.lockLanes(queue.name, lanes);
    const found = new Map((await tx.lockJobs(positions)).map((job) => [job.pos, job]));
    const eligible: JobRow[] = [];
    const leftOut: string[] = [];
    for (const item of slice.items) {
      const job = found.get(item[0]);
      if (job && action.isEligible(item, job)) eligible.push(job);
      else leftOut.push(job?.id ?? item[1] ?? String(item[0]));
    }
    const cancelled = await action.apply(tx, queue, row, eligible, operation, findings);
    const after = advanced(operation, slice, eligible.length, cancelled.requested, leftOut);
    const isRead = slice.endsRow && after.list === after.id;
    await Promise.all([
      tx.saveOperation(after),
      isRead ? tx.dropListBefore(after.list, after.nextStep) : undefined,
    ]);
    return { operation: after, cancelled };
  });
  return stepped && { ...stepped, ms: store.clock.monotonic() - begun };
}

/** Passes over a job that cannot be settled, and stores why. */
export async function leaveOut(
  store: Store,
  seen: OperationRow,
  slice: Slice,
  problem: string,
): Promise<OperationRow | undefined> {
  const [[pos, id]] = slice.items as [ListItem];
  const leftOut = id ?? (await store.read.job({ pos }))?.id ?? String(pos);
  return passOver(store, seen, slice, { leftOut, problem });
}

/** Stores the place behind one job that is done or left out. */
export async function passOver(
  store: Store,
  seen: OperationRow,
  slice: Slice,
  { done = 0, leftOut, problem }: { done?: number; leftOut?: string; problem?: string },
): Promise<OperationRow | undefined> {
  return store.transaction("operation-step", async (tx) => {
    await tx.lockQueue(seen.queue, "exclusive");
    const operation = await stillMine(tx, seen);
    if (!operation) return undefined;
    const after = {
      ...advanced(operation, slice, done, 0, leftOut === undefined ? [] : [leftOut]),
      result: problem === undefined ? operation.result : { ...operation.result, problem },
    };
    await tx.saveOperation(after);
    return after;
  });
}

/** Ends an operation after the last job of its list: runs the action's `end` and stores the result. */
export async function finish(
  store: Store,
  queue: QueueDefinition,
  seen: OperationRow,
): Promise<OperationRow | undefined> {
  return store.transaction("operation-end", async (tx) => {
    const row = await tx.lockQueue(queue.name, "exclusive");
    const operation = await stillMine(tx, seen);
    if (!operation) return undefined;
    const result = await ACTIONS[operation.action].end?.(tx, queue, row, operation);
    const after: OperationRow = {
      ...operation,
      state: "done",
      finishedAt: tx.now(),
      result: { ...operation.result, ...result },
    };
    await tx.saveOperation(after);
    return after;
  });
}

/** Ends an operation as failed, before the end of its list. */
export async function giveUp(
  store: Store,
  seen: OperationRow,
  problem: string,
): Promise<OperationRow | undefined> {
  return store.transaction("operation", async (tx) => {
    const operation = await stillMine(tx, seen);
    if (!operation) return undefined;
    const result = { ...operation.result, problem };
    const after: OperationRow = { ...operation, state: "failed", finishedAt: tx.now(), result };
    await tx.saveOperation(after);
    return after;
  });
}

/** The operation, locked, if no other process has taken it or its next step meanwhile. */
export async function stillMine(tx: StoreTx, seen: OperationRow): Promise<OperationRow | undefined> {
  const operation = await tx.lockOperation(seen.id);
  const isMine =
    operation?.finishedAt === null &&
    operation.driver === seen.driver &&
    operation.nextStep === seen.nextStep &&
    operation.nextItem === seen.nextItem;
  return isMine ? operation : undefined;
}

function advanced(
  operation: OperationRow,
  { items, endsRow }: Slice,
  done: number,
  requested: number,
  leftOut: readonly string[],
): OperationRow {
  return {
    ...operation,
    done: operation.done + done,
    requested: operation.requested + requested,
    leftOut: operation.leftOut + leftOut.length,
    leftOutJobs: [...operation.leftOutJobs, ...leftOut].slice(0, MOST_LISTED),
    nextStep: operation.nextStep + (endsRow ? 1 : 0),
    nextItem: endsRow ? 0 : operation.nextItem + items.length,
  };
}
