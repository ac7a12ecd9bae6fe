import { stageLimits } from "../lifecycle/stages.ts";
import type { Completion, FinishAndClaimRequest } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { rateOf } from "./rate-limit.ts";

/** A request with the limits that the queue's rules set. */
export function finishAndClaimRequest(
  queue: QueueDefinition,
  worker: string,
  done: Completion[],
  want: number,
): FinishAndClaimRequest {
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
    stageLimits: stageLimits(rules),
    hasStages: rules.stages !== undefined,
  };
}
