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

/** `findings`: the result of the check before a job was skipped, if there was one. */
type JobHook = (job: Job, tx: Tx, findings?: unknown) => Promise<void> | void;
type JobHooks = { readonly [Name in HookName]?: JobHook };

/** Findings by the ids of the jobs they are about. */
export type Findings = ReadonlyMap<string, unknown>;

/** What a final failure did to the queue. */
interface FinalFailure {
  readonly policy: FailurePolicy;
  /** Whether this failure stopped the queue; false if the queue was stopped already. */
  readonly hasStopped: boolean;
}

/** Called inside the transaction of the verb: their writes commit with it, and an error rolls it back. */
export interface QueueHooks extends JobHooks {
  /** The queue has stopped, by a failure or by hand. */
  readonly stopped?: (stop: StopCertificate, tx: Tx) => Promise<void> | void;
  /** A person has ended this stop. */
  readonly resumed?: (stop: StopCertificate, tx: Tx) => Promise<void> | void;
  /** A lane is held because this job in it has finally failed. */
  readonly held?: (lane: Lane, job: Job, tx: Tx) => Promise<void> | void;
  /**
   * Failed jobs, as they were with their errors, that a person has retried, skipped or deleted in this transaction:
   * called once for all of them, after they have left the list of failed jobs.
   */
  readonly failuresSettled?: (jobs: readonly Job[], tx: Tx) => Promise<void> | void;
  /** A stage of a cancelled job could not be rolled back: a person has to undo what is left of it. */
  readonly rollBackFailed?: (job: Job, stage: string, tx: Tx) => Promise<void> | void;
  /**
   * A job has finally failed and its policy has been carried out. Called once, after the other hooks, whatever the
   * policy is.
   */
  readonly failedFinally?: (job: Job, end: FinalFailure, tx: Tx) => Promise<void> | void;
}

/** Decides about one job by the app's own rule. If it throws, the job stays as it is. `at`: only for a cancel. */
type DecideOne = (job: Job, decision: Decision, at?: CancelTime) => Promise<unknown>;

/**
 * The app's own rules for decisions about a single job. Decisions over many jobs, and decisions that were held back,
 * use them for each job.
 */
export type DecideEach = { readonly [Action in "retry" | "skip" | "cancel"]?: DecideOne };

export interface QueueDefinition {
  readonly name: string;
  readonly rules: QueueRules;
  readonly hooks: QueueHooks;
  /** What the audit log calls its jobs: the actions are `<noun>.cancel` and `<noun>.retry`. Default: `job`. */
  readonly noun?: string | undefined;
  /** Checks the outside world before failed jobs are skipped in bulk, outside of any transaction. */
  readonly beforeSkip?: ((job: Job) => Promise<unknown>) | undefined;
  /** Decisions over many jobs of this queue call these for each job. */
  readonly decideEach?: DecideEach | undefined;
  /** The checks of the outside world that a rehearsal runs before the queue is resumed. */
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
