import { type Decision, isAndonError, type Job } from "@andon/contract";
import type { ListItem, OperationRow, Store } from "../ports/store.ts";
import { ACTIONS } from "./actions.ts";
import { leaveOut, passOver, type Slice } from "./step.ts";

/**
 * Lets the app decide about the next job of a list, in the app's own transactions; the place in the list is stored
 * afterwards. If the process dies in between, the job is decided but its place is not stored, so with `mayBeDone` the
 * audit log is read first.
 */
export async function decideOne(
  store: Store,
  operation: OperationRow,
  slice: Slice,
  decide: (job: Job, decision: Decision) => Promise<unknown>,
  { mayBeDone }: { mayBeDone: boolean },
): Promise<OperationRow | undefined> {
  const [item] = slice.items as [ListItem];
  if (mayBeDone && (await isDecided(store, operation, item[1])))
    return passOver(store, operation, slice, { done: 1 });
  const job = await store.read.job({ pos: item[0] });
  if (!job || !ACTIONS[operation.action].isEligible(item, job))
    return passOver(store, operation, slice, { leftOut: job?.id ?? item[1] ?? String(item[0]) });
  const { actor, reason, tenant, organization } = operation;
  try {
    await decide(job, {
      actor,
      atOnce: true,
      ...(reason === null ? {} : { reason }),
      ...(tenant === null ? {} : { tenant }),
      ...(organization === null ? {} : { organization }),
    });
  } catch (error) {
    if (!isAndonError(error) || error.status >= 500) throw error;
    return leaveOut(store, operation, slice, error.message);
  }
  return passOver(store, operation, slice, { done: 1 });
}

/**
 * Whether the actor of the operation has decided about the job since the operation began: every decision has its audit
 * row.
 */
async function isDecided(
  store: Store,
  { actor, createdAt }: OperationRow,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return false;
  const { items } = await store.read.audit({ target: `job:${id}`, actor }, 1, 1);
  return items[0] !== undefined && items[0].at >= createdAt;
}
