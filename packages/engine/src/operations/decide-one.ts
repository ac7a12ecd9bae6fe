import { type Decision, isAndonError, type Job } from "@andon/contract";
import type { ListItem, OperationRow, Store } from "../ports/store.ts";
import { ACTIONS } from "./actions.ts";
import { leaveOut, passOver, type Slice } from "./step.ts";

/**
 * The next job of a list, decided about by its app in transactions of its own; the place in the list is stored afterwards. A
 * process that dies in between leaves a job that is decided about: the next driver finds it changed, and counts it as left out.
 */
export async function decideOne(
  store: Store,
  operation: OperationRow,
  slice: Slice,
  decide: (job: Job, decision: Decision) => Promise<unknown>,
): Promise<OperationRow | undefined> {
  const [item] = slice.items as [ListItem];
  const job = await store.read.job({ pos: item[0] });
  if (!job || !ACTIONS[operation.action].isMeant(item, job))
    return passOver(store, operation, slice, { leftOut: job?.id ?? item[1] ?? String(item[0]) });
  const { actor, reason, tenant, organization } = operation;
  try {
    await decide(job, {
      actor,
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
