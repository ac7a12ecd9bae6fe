import type { HistoryInput, Job, QueueRulesInput, RehearsalQuestions } from "@andon/contract";
import type { DecideEach, QueueHooks } from "../queue-definition.ts";
import type { Handler } from "../worker/handler.ts";

export interface QueueOptions<Payload> {
  /** Checks a payload before it is stored, and may change it; an error that it throws refuses the job. Default: any JSON. */
  parse?: ((value: unknown) => Payload) | undefined;
  /** Writes that join the transaction of a job's failure or of an operator's decision. Default: none. */
  hooks?: QueueHooks | undefined;
  /**
   * Checks the outside world before failed jobs are skipped in bulk; its result is the third argument of the hook
   * `resolved`. It runs outside of any transaction. Default: no check.
   */
  beforeSkip?: ((job: Job) => Promise<unknown>) | undefined;
  /** What `queue.rehearse` asks of the destination and about the next jobs. Default: nothing is asked. */
  rehearse?: RehearsalQuestions | undefined;
  /** How the audit log calls its jobs: `<noun>.cancel`, `<noun>.retry`. Default: `job`. */
  noun?: string | undefined;
  /**
   * Rules of an app for a retry, skip or cancel: a decision over many jobs then goes job by job through these, outside of
   * any transaction, and a job for which they throw is left out and listed. Default: the verbs of the library.
   */
  decideEach?: DecideEach | undefined;
}

export interface AndonOptions {
  /**
   * Called with errors that no caller sees, such as a store that was away or a heartbeat that failed. Default:
   * console.error.
   */
  onError?: ((error: unknown) => void) | undefined;
  /** Rules of the outbox's queue; they replace its own, member by member. Default: 12 attempts, at most 15 minutes apart. */
  outbox?: QueueRulesInput | undefined;
  /** Wraps every handler of this process, isolated ones and deliverers too: for traces and logs. Default: nothing. */
  around?: ((queue: string, handler: Handler<never>) => Handler<never>) | undefined;
  /**
   * When single adds are written: `at-once`, or after the rest of this turn of the event loop (`turn`), so that the adds
   * of many callers, such as requests of a server, share a commit. Default: `at-once`.
   */
  gather?: "at-once" | "turn" | undefined;
  /** How long history is kept; older rows are deleted. Default: `events` 7 days, `attempts` 30 days, `stops` a year. */
  keep?: HistoryInput | undefined;
  /**
   * `undoWindow`: how long a skip or a cancel of one job is held back; meanwhile it can be undone. Default: 0, it applies
   * at once.
   */
  decisions?: { undoWindow?: number | string | undefined } | undefined;
}
