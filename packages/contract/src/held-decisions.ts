import * as z from "zod";
import { duration } from "./duration.ts";

/** What may be held back: a decision about one job that cannot be taken back once it is applied. */
export const HELD_ACTIONS = ["skip", "cancel"] as const;
export type HeldAction = (typeof HELD_ACTIONS)[number];

export const HELD_STATES = ["pending", "applied", "undone", "lapsed"] as const;

/** A decision that is applied later, unless somebody calls it off. */
export interface HeldDecision {
  readonly id: string;
  readonly queue: string;
  readonly jobId: string;
  readonly action: HeldAction;
  readonly actor: string;
  readonly reason: string | null;
  readonly madeAt: number;
  readonly appliesAt: number;
  /** `lapsed`: the job had changed meanwhile; `note` says how. */
  readonly state: (typeof HELD_STATES)[number];
  readonly settledAt: number | null;
  readonly settledBy: string | null;
  readonly note: string | null;
}

export const decisionsSchema = z.strictObject({
  undoWindow: duration
    .default(0)
    .describe(
      "How long a skip or a cancel of one job is held back, in which it can be undone. 0: they apply at once.",
    ),
});
