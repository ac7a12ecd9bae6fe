import type { HeldDecision, JobState } from "@andon/contract";
import type { CancelTime } from "./rows.ts";

/** A decision that is held back, as stored. */
export interface DecisionRow extends HeldDecision {
  readonly pos: number;
  readonly tenant: string;
  readonly organization: string | null;
  readonly cancelAt: CancelTime | null;
  /** The job's state and fence at the time of the decision. */
  readonly jobState: JobState;
  readonly fence: number;
}

export interface SettledDecision {
  readonly state: Exclude<HeldDecision["state"], "pending">;
  readonly by: string;
  readonly note: string | null;
}
