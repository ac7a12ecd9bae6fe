import type { HistoryInput, Job, QueueRulesInput, RehearsalQuestions } from "@andon/contract";
import type { DecideEach, QueueHooks } from "../queue-definition.ts";
import type { Handler } from "../worker/handler.ts";

export interface QueueOptions<Payload> {
  /** Checks a payload before it is stored, and may change it; an error that it throws refuses the job. Default: any JSON. */
  parse?: ((value: unknown) => Payload) | undefined;
  /** Writes that join the transaction of a job's failure or of an operator's decision. Default: none. */
  hooks?: QueueHooks | undefined;
  /**
   * Checks the outside world before a skip of many failed jobs, once per job; its result is the third argument of the hook
   * `resolved`. It runs outside of any transaction. Default: no check.
   */
  beforeSkip?: ((job: Job) => Promise<unknown>) | undefined;
  /** What `queue.rehearse` asks of the destination and about the next jobs. Default: nothing is asked. */
  rehearse?: RehearsalQuestions | undefined;
  /** The name of its jobs in the actions of the audit log: `<noun>.cancel`, `<noun>.retry`. Default: `job`. */
  noun?: string | undefined;
  /**
   * Rules of an app for a retry, skip or cancel. A decision over many jobs then calls them for each job, outside of any
   * transaction; a job for which they throw is left out and listed. Default: the methods of the library.
   */
  decideEach?: DecideEach | undefined;
}

export interface AndonOptions {
  /**
   * Called with errors that no caller gets, such as a store that does not answer or a failed heartbeat. Default:
   * console.error.
   */
  onError?: ((error: unknown) => void) | undefined;
  /** Rules of the outbox's queue; a rule given here replaces its own. Default: 12 attempts, at most 15 minutes apart. */
  outbox?: QueueRulesInput | undefined;
  /** Wraps every handler of this process, also isolated ones and deliverers: for traces and logs. Default: no wrapper. */
  around?: ((queue: string, handler: Handler<never>) => Handler<never>) | undefined;
  /**
   * When single adds are written. `at-once`: without delay. `turn`: at the end of this turn of the event loop, so that the
   * adds of many callers, such as requests of a server, share a commit. Default: `at-once`.
   */
  gather?: "at-once" | "turn" | undefined;
  /**
   * How long history is kept, at least a minute; older rows are deleted. Default: `events` and `minutes` 7 days, `attempts`
   * and `arrivals` 30 days, `stops` and `hours` a year.
   */
  keep?: HistoryInput | undefined;
  /**
   * `undoWindow`: how long a skip or a cancel of one job is held back; meanwhile it can be undone. Default: 0, it applies
   * at once.
   */
  decisions?: { undoWindow?: number | string | undefined } | undefined;
}
