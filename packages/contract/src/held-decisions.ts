import * as z from "zod";
import { duration } from "./duration.ts";
import type { Language } from "./errors.ts";
import { iso, isoOrNull } from "./iso.ts";
import { messageOf } from "./messages.ts";
import type { heldDecision } from "./routes/wire.ts";

/** What may be held back: a decision about one job that cannot be undone once it is applied. */
export const HELD_ACTIONS = ["skip", "cancel", "skip-with-rest"] as const;
export type HeldAction = (typeof HELD_ACTIONS)[number];

export const HELD_STATES = ["pending", "applied", "undone", "lapsed"] as const;

/** A decision that is applied later, unless somebody undoes it before. */
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

/** A decision as the API answers it. */
export function wireDecision({
  madeAt,
  appliesAt,
  settledAt,
  ...plain
}: HeldDecision): z.input<typeof heldDecision> {
  return { ...plain, madeAt: iso(madeAt), appliesAt: iso(appliesAt), settledAt: isoOrNull(settledAt) };
}

/** The member `pendingDecision` of an answer about a job; absent where no decision about it is held back. */
export function withDecision(held: HeldDecision | undefined): {
  pendingDecision?: z.input<typeof heldDecision>;
} {
  return held ? { pendingDecision: wireDecision(held) } : {};
}

export function heldBackMessage({ appliesAt }: HeldDecision, language: Language): string {
  return messageOf("DECISION_HELD_BACK", language, { appliesAt: iso(appliesAt) });
}

export const decisionsSchema = z.strictObject({
  undoWindow: duration
    .default(0)
    .describe(
      "How long a skip or a cancel of one job is held back; until then it can be undone. 0: it applies at once.",
    ),
});
