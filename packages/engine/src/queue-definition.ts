import type { Job, QueueRules } from "@andon/contract";
import type { Tx } from "./ports/store.ts";

/** A change of a job that an app may want to join with writes of its own, in the same transaction. */
export type HookName = "failed" | "skipped" | "resolved" | "cancelled" | "retried";

/** Called inside the transaction of the verb: what they write commits with it, what they throw rolls it back. */
export type QueueHooks = { readonly [Name in HookName]?: (job: Job, tx: Tx) => Promise<void> | void };

export interface QueueDefinition {
  readonly name: string;
  readonly rules: QueueRules;
  readonly hooks: QueueHooks;
}

export async function runHook(
  queue: QueueDefinition,
  name: HookName,
  jobs: readonly Job[],
  tx: Tx,
): Promise<void> {
  const hook = queue.hooks[name];
  if (!hook) return;
  for (const job of jobs) await hook(job, tx);
}
