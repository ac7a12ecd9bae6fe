import type { Decision, HeldDecision, Job, QueueRulesInput, RehearsalQuestions } from "@andon/contract";
import type { Handler, QueueHooks, StageHandlers, WorkOptions } from "@andon/engine";

/** What a job is about, in the words of the operator API. */
export interface JobDescription {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly eventType: string;
  readonly data: unknown;
  /** What people call what it is about, such as a file's name. Default: the job's first key. */
  readonly name?: string;
}

/** What an app found out before a skip; the answer to the skip shows its members. */
export type SkipFindings = Readonly<Record<string, unknown>>;

/** What an operator can do to a single job. */
export type JobDecision = "retry" | "skip" | "cancel" | "run-now" | "delete";

/** What becomes of a decision that an app carries out itself. */
export interface CarriedOut {
  /** Whether the job is still to come to its end: it runs, and stops later. Default: false. */
  readonly isRequested?: boolean;
  /** The decision, where it is held back: nothing has changed yet. Default: it was carried out. */
  readonly pendingDecision?: HeldDecision | undefined;
}

/** A queue that an app or a configuration brings. */
export interface AppQueue {
  readonly rules?: QueueRulesInput;
  /** Rules beside those where the configuration sets `mode: "serial"`. */
  readonly serial?: QueueRulesInput;
  /** Absent: the queue is there, and another process works it. */
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
  /** It does work that people did not ask for, such as cleaning up: the board folds it away while it needs nobody. Default: false. */
  readonly isSystem?: boolean;
  /** How the audit log calls its jobs where they are cancelled or retried: `<noun>.cancel`. Default: `job`. */
  readonly noun?: string;
  /**
   * What is asked before an operator resumes the queue: whether its destination answers, and what the next jobs would meet. It
   * must change nothing. Default: nothing is asked, and the next jobs are shown without checks.
   */
  readonly rehearse?: RehearsalQuestions;
  /** Pages of the runbooks by the code of an error, such as `{ TIMEOUT: "line-stopped" }`. Default: the page about failed jobs. */
  readonly runbooks?: Readonly<Record<string, string>>;
  /** The alert type of a failed job. Default `LANE_HELD` where it holds a lane, else `JOB_FAILED`. */
  readonly heldAlert?: string;
  /**
   * Throws an `AndonError` where the app's own rules forbid this decision about a job. The operator API asks before every
   * decision about a single job of this queue. Default: every decision that the job's state allows.
   */
  readonly mayDecide?: (job: Job, decision: JobDecision) => void | Promise<void>;
  /**
   * Decisions that mean something else to the app, such as a skip that deletes: the operator API calls these instead of the
   * engine, and each writes its own audit row. `ofMany`: it is one of a decision over many jobs. Hand the decision on to the
   * methods of the queue as it is: these hold it back where there is an undo window, and the app is asked again when it is due.
   */
  readonly decide?: {
    readonly [Name in "retry" | "skip" | "cancel" | "delete"]?: (
      job: Job,
      decision: Decision,
      how?: { readonly ofMany: boolean },
    ) => Promise<CarriedOut>;
  };
}
