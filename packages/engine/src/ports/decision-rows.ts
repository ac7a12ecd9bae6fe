import type { HeldDecision, JobState } from "@andon/contract";
import type { CancelTime } from "./rows.ts";

/** A decision that is held back, as the store keeps it. */
export interface DecisionRow extends HeldDecision {
  readonly pos: number;
  readonly tenant: string;
  readonly organization: string | null;
  readonly cancelAt: CancelTime | null;
  /** What the job was like when it was decided. */
  readonly jobState: JobState;
  readonly fence: number;
}

export interface SettledDecision {
  readonly state: Exclude<HeldDecision["state"], "pending">;
  readonly by: string;
  readonly note: string | null;
}
