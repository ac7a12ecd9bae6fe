import type { Job, Localized } from "@andon/contract";
import type { HandlerContext } from "@andon/engine";
import type { LogText } from "../tasks/log-lines.ts";
import type { LogLevel } from "../tasks/task-log.ts";
import type { TaskRow } from "../tasks/task-rows.ts";

/** One run of one phase of a task. */
export interface PhaseRun {
  readonly task: TaskRow;
  /** With `outputs`, what the phases before made, and `cursor`, the last checkpoint. */
  readonly job: Job;
  /** Aborts when the time is over, the task is cancelled, or the process ends. Whoever is called then ends its work first. */
  readonly signal: AbortSignal;
  /** The number of this run, higher than that of any earlier one: for names that no other run may share. */
  readonly fence: number;
  /** How much of the phase is done, from 0 to 1. */
  progress(share: number): void;
  /** Writes a line of the task's log: a text, in both languages where it is to be shown in the reader's, or one of the app's own. */
  log(text: string | Localized | LogText, level?: LogLevel): Promise<void>;
  checkpoint: HandlerContext["checkpoint"];
  /** Ends this run, by throwing, until the event has come. */
  park: HandlerContext["park"];
}

/** Does the work of a phase. What it returns is kept as the phase's output: small things, and references to large ones. */
export type Executor = (run: PhaseRun) => Promise<unknown>;

export type Executors = Readonly<Record<string, Executor>>;
