import type { JobState, QueueRulesInput } from "@andon/contract";
import type { Member } from "../processes/site.ts";
import type { Records } from "./facts.ts";
import type { Point } from "./points.ts";
import type { Stage } from "./stage.ts";

/** How a process reaches a point, and the required state once another process has continued. */
export interface Scene {
  readonly rules?: QueueRulesInput;
  /** Prepares the state that the victim finds. */
  prepare?(stage: Stage): Promise<void>;
  /** How often the point is passed before the process is killed there. */
  passes?(stage: Stage): number;
  /** Makes the victim pass the point; its death may interrupt this anywhere. */
  act(stage: Stage, victim: Member): Promise<unknown>;
  /** For a decision: what it writes beside the state. It must be there in full or not at all. */
  readonly records?: Records;
  /** After the death, before anything else: this scene's own findings. */
  look?(stage: Stage, point: Point): Promise<string[]>;
  /**
   * The repair by an operator or caller who finds the work unfinished (`isMade`: the point was after the commit). Then
   * workers continue.
   */
  goOn?(stage: Stage, isMade: boolean): Promise<string[] | undefined>;
  /** While workers continue: resolves when no more jobs are coming. */
  settle?(stage: Stage): Promise<void>;
  /** How many jobs are in each state in the end. */
  ends(stage: Stage): Partial<Record<JobState, number>> | Promise<Partial<Record<JobState, number>>>;
}
