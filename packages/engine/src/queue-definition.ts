import type { FailurePolicy, Job, Lane, Language, QueueRules, StopCertificate } from "@andon/contract";
import type { Tx } from "./ports/store.ts";

/** A change of a job that an app may want to join with writes of its own, in the same transaction. */
export type HookName = "failed" | "skipped" | "resolved" | "cancelled" | "retried" | "deleted";

/** `findings`: what was seen of the outside world before a job was settled by hand, where somebody looked. */
type JobHook = (job: Job, tx: Tx, findings?: unknown) => Promise<void> | void;
type JobHooks = { readonly [Name in HookName]?: JobHook };

/** Findings by the ids of the jobs they are about. */
export type Findings = ReadonlyMap<string, unknown>;

/** What a final failure did to the line. */
interface FinalFailure {
  readonly policy: FailurePolicy;
  /** Whether it is why the queue has stopped; false where that stood already. */
  readonly hasStopped: boolean;
}

/** Called inside the transaction of the verb: what they write commits with it, what they throw rolls it back. */
export interface QueueHooks extends JobHooks {
  /** The queue has stopped, by a failure or by hand. */
  readonly stopped?: (stop: StopCertificate, tx: Tx) => Promise<void> | void;
  /** A person has ended this stop. */
  readonly resumed?: (stop: StopCertificate, tx: Tx) => Promise<void> | void;
  /** A lane is held since this job of it has finally failed. */
  readonly held?: (lane: Lane, job: Job, tx: Tx) => Promise<void> | void;
  /** A job has finally failed, and its policy has been carried out: whatever that is, this comes once, and last. */
  readonly failedFinally?: (job: Job, end: FinalFailure, tx: Tx) => Promise<void> | void;
}

export interface QueueDefinition {
  readonly name: string;
  readonly rules: QueueRules;
  readonly hooks: QueueHooks;
  /** Looks at the outside world before failed jobs are settled by hand in bulk, outside of any transaction. */
  readonly beforeSkip?: ((job: Job) => Promise<unknown>) | undefined;
  /** What the engine itself says of a failure is stored in this one. */
  readonly language?: Language | undefined;
}

export async function runHook(
  queue: QueueDefinition,
  name: HookName,
  jobs: readonly Job[],
  tx: Tx,
  findings?: Findings,
): Promise<void> {
  const hook = queue.hooks[name];
  if (!hook) return;
  for (const job of jobs) await hook(job, tx, findings?.get(job.id));
}
