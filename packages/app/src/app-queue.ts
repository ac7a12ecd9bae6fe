import type { Decision, HeldDecision, Job, QueueRulesInput, RehearsalQuestions } from "@andon/contract";
import type { Handler, QueueHooks, StageHandlers, WorkOptions } from "@andon/engine";

/** What a job is about, in the words of the operator API. */
export interface JobDescription {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly eventType: string;
  readonly data: unknown;
  /** The name of its subject for people, such as a file's name. Default: the job's first key. */
  readonly name?: string;
}

/** What an app found out before a skip; the answer to the skip shows its members. */
export type SkipFindings = Readonly<Record<string, unknown>>;

/** What an operator can do to a single job. */
export type JobDecision = "retry" | "skip" | "cancel" | "run-now" | "delete";

/** The result of a decision that an app carries out itself. */
export interface CarriedOut {
  /** Whether the job has yet to end: it runs, and stops later. Default: false. */
  readonly isRequested?: boolean;
  /** The decision, if it is held back: nothing has changed yet. Default: it was carried out. */
  readonly pendingDecision?: HeldDecision | undefined;
}

/** A queue that an app or a configuration defines. */
export interface AppQueue {
  readonly rules?: QueueRulesInput;
  /** Further rules if the configuration sets `mode: "serial"`. */
  readonly serial?: QueueRulesInput;
  /** Absent: the queue is only defined, and another process works it. */
  readonly handler?: Handler<never> | StageHandlers<never> | URL;
  readonly work?: WorkOptions;
  readonly hooks?: QueueHooks;
  readonly parse?: (value: unknown) => unknown;
  /** Default, and for a job that it does not describe: the job's first key, its name and its payload. */
  readonly describe?: (job: Job) => JobDescription | undefined;
  /**
   * Inspects the outside world before an operator skips a failed job, outside of any transaction: whether the operator
   * has done what the job could not.
   */
  readonly beforeSkip?: (job: Job) => Promise<SkipFindings>;
  /**
   * It does work that people did not request, such as cleaning up: the board collapses it while it needs no attention.
   * Default: false.
   */
  readonly isSystem?: boolean;
  /** What the audit log calls its jobs when they are cancelled or retried: `<noun>.cancel`. Default: `job`. */
  readonly noun?: string;
  /**
   * The checks before an operator resumes the queue: whether its destination answers, and whether the next jobs would
   * succeed. They must change nothing. Default: no checks; the next jobs are shown without them.
   */
  readonly rehearse?: RehearsalQuestions;
  /**
   * Runbook pages by the code of an error, such as `{ TIMEOUT: "line-stopped" }`. Default: the page about failed jobs.
   */
  readonly runbooks?: Readonly<Record<string, string>>;
  /** The alert type of a failed job. Default: `LANE_HELD` if it holds a lane, else `JOB_FAILED`. */
  readonly heldAlert?: string;
  /**
   * Throws an `AndonError` if the app's own rules forbid this decision about a job. The operator API calls it before
   * every decision about a single job of this queue. Default: every decision that the job's state allows.
   */
  readonly mayDecide?: (job: Job, decision: JobDecision) => void | Promise<void>;
  /**
   * Decisions that have another effect in the app, such as a skip that deletes: the operator API calls these instead of
   * the engine, and each writes its own audit row. `ofMany`: the call is part of a decision over many jobs. Pass the
   * decision on to the queue's methods unchanged: they hold it back if there is an undo window, and the app is called
   * again when it is due.
   */
  readonly decide?: {
    readonly [Name in "retry" | "skip" | "cancel" | "delete"]?: (
      job: Job,
      decision: Decision,
      how?: { readonly ofMany: boolean },
    ) => Promise<CarriedOut>;
  };
}
