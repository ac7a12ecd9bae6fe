import type { JobState, QueueRulesInput } from "@andon/contract";
import type { Member } from "../processes/site.ts";
import type { Records } from "./facts.ts";
import type { Point } from "./points.ts";
import type { Stage } from "./stage.ts";

/** How a process comes to pass a point, and what must be so once another one has gone on. */
export interface Scene {
  readonly rules?: QueueRulesInput;
  /** What the victim finds. */
  prepare?(stage: Stage): Promise<void>;
  /** How often the point is passed before it strikes. */
  passes?(stage: Stage): number;
  /** Makes the victim pass the point; its death may interrupt this anywhere. */
  act(stage: Stage, victim: Member): Promise<unknown>;
  /** For a decision: what it writes beside the state. It must be there in full or not at all. */
  readonly records?: Records;
  /** After the death, before anything else: findings of this scene's own. */
  look?(stage: Stage, point: Point): Promise<string[]>;
  /** What somebody does who finds the work undone (`isMade`: the point lay behind the commit). Then workers go on. */
  goOn?(stage: Stage, isMade: boolean): Promise<string[] | undefined>;
  /** While workers go on: returns when no more work will come. */
  settle?(stage: Stage): Promise<void>;
  /** How many jobs there are in each state in the end. */
  ends(stage: Stage): Partial<Record<JobState, number>> | Promise<Partial<Record<JobState, number>>>;
}
