import type { Completion, TurnRequest } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { rateOf } from "./pace.ts";

/** What a queue's rules ask of a turn. */
export function turnRequest(
  queue: QueueDefinition,
  worker: string,
  done: Completion[],
  want: number,
): TurnRequest {
  const { rules, name } = queue;
  return {
    queue: name,
    worker,
    done,
    want,
    limit: rules.concurrency ?? null,
    serial: rules.mode === "serial",
    rate: rules.limiter ? rateOf(rules.limiter) : null,
    sharing: rules.fair ? { most: rules.tenantConcurrency ?? null } : null,
  };
}
