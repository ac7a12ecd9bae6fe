import type { Job, Localized } from "@andon/contract";
import type { HandlerContext } from "@andon/engine";
import type { LogText } from "../tasks/log-lines.ts";
import type { LogLevel } from "../tasks/task-log.ts";
import type { TaskRow } from "../tasks/task-rows.ts";

/** One run of one phase of a task. */
export interface PhaseRun {
  readonly task: TaskRow;
  /** Includes `outputs`, the results of the earlier phases, and `cursor`, the last checkpoint. */
  readonly job: Job;
  /**
   * Aborts when the phase times out, the task is cancelled or the process ends. The executor must end its work before it
   * returns.
   */
  readonly signal: AbortSignal;
  /** The number of this run, higher than that of any earlier one: for names that no other run may share. */
  readonly fence: number;
  /** How much of the phase is done, from 0 to 1. */
  progress(share: number): void;
  /**
   * Writes a line of the task's log: a text, a text in both languages that is shown in the reader's, or one of the app's own
   * texts.
   */
  log(text: string | Localized | LogText, level?: LogLevel): Promise<void>;
  checkpoint: HandlerContext["checkpoint"];
  /** Ends this run, by throwing, until the event arrives. */
  park: HandlerContext["park"];
}

/** Does the work of a phase. Its result is kept as the phase's output, so it should be small and refer to large data. */
export type Executor = (run: PhaseRun) => Promise<unknown>;

export type Executors = Readonly<Record<string, Executor>>;
