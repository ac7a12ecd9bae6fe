import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { applyDecision } from "./apply-decision.ts";
import { NOTHING_DUE, TRY_AGAIN_MS } from "./due-loop.ts";

const MOST_AT_ONCE = 100;

/** Applies decisions that were held back and are due. Returns how long to sleep. */
export async function applyDue(
  store: Store,
  definitions: ReadonlyMap<string, QueueDefinition>,
  onError: (error: unknown) => void,
): Promise<number> {
  const { read, clock } = store;
  const due = await read.dueDecisions(clock.now(), [...definitions.keys()], MOST_AT_ONCE);
  let hasFailed = false;
  for (const decision of due) {
    const queue = definitions.get(decision.queue);
    if (!queue) continue;
    try {
      await applyDecision(store, queue, decision);
    } catch (error) {
      hasFailed = true;
      onError(error);
    }
  }
  if (hasFailed) return TRY_AGAIN_MS;
  if (due.length === MOST_AT_ONCE) return 0;
  const next = await read.nextDecisionAt([...definitions.keys()]);
  return next === null ? NOTHING_DUE : Math.max(0, next - clock.now());
}
