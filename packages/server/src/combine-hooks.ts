import type { QueueHooks } from "@andon/engine";

type Hook = (...args: unknown[]) => Promise<void> | void;

const NAMES = [
  "failed",
  "skipped",
  "resolved",
  "cancelled",
  "aborted",
  "retried",
  "deleted",
  "stopped",
  "resumed",
  "held",
  "failedFinally",
  "failuresSettled",
  "rollBackFailed",
] as const;

/** Combines the hooks of several owners. They run in this order in one transaction; an error of one rolls back all. */
export function combineHooks(...owners: readonly (QueueHooks | undefined)[]): QueueHooks {
  const combined: Record<string, Hook> = {};
  for (const name of NAMES) {
    const hooks = owners.flatMap((owner) => (owner?.[name] as Hook | undefined) ?? []);
    if (hooks.length === 0) continue;
    combined[name] = async (...args) => {
      for (const hook of hooks) await hook(...args);
    };
  }
  return combined;
}
