import type {
  Decision,
  FailurePolicy,
  Job,
  Lane,
  QueueRules,
  RehearsalQuestions,
  StopCertificate,
} from "@andon/contract";
import type { CancelTime, Tx } from "./ports/store.ts";

/** A change of a job that an app may want to join with writes of its own, in the same transaction. */
export type HookName =
  | "failed"
  | "skipped"
  | "resolved"
  | "cancelled"
  | "aborted"
  /** Queued again by hand: a retry, or the resume of an aborted or failed job. */
  | "retried"
  | "deleted";

/** `findings`: what was found in the outside world before a job was skipped, if it was checked. */
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
  /**
   * Failed jobs, as they stood with their errors, that a person has retried, skipped or deleted in this transaction: called
   * once for all of them, after they have left the list of failed jobs.
   */
  readonly failuresSettled?: (jobs: readonly Job[], tx: Tx) => Promise<void> | void;
  /** A stage of a cancelled job could not be rolled back: what is left of it, a person has to see to. */
  readonly rollBackFailed?: (job: Job, stage: string, tx: Tx) => Promise<void> | void;
  /** A job has finally failed, and its policy has been carried out: whatever that is, this comes once, and last. */
  readonly failedFinally?: (job: Job, end: FinalFailure, tx: Tx) => Promise<void> | void;
}

/** A decision about one job by rules of the app that brings it. What it throws leaves that job as it is. `at`: of a cancel. */
type DecideOne = (job: Job, decision: Decision, at?: CancelTime) => Promise<unknown>;

/**
 * How the jobs of a queue are decided about one by one, where its app has rules of its own for that: by decisions over many
 * jobs, and by those that were held back.
 */
export type DecideEach = { readonly [Action in "retry" | "skip" | "cancel"]?: DecideOne };

export interface QueueDefinition {
  readonly name: string;
  readonly rules: QueueRules;
  readonly hooks: QueueHooks;
  /** How the audit log calls its jobs: the actions are `<noun>.cancel` and `<noun>.retry`. Default: `job`. */
  readonly noun?: string | undefined;
  /** Checks the outside world before failed jobs are skipped in bulk, outside of any transaction. */
  readonly beforeSkip?: ((job: Job) => Promise<unknown>) | undefined;
  /** Decisions over many jobs of this queue go job by job through these. */
  readonly decideEach?: DecideEach | undefined;
  /** How the outside world is asked before the queue is resumed. */
  readonly rehearse?: RehearsalQuestions | undefined;
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
