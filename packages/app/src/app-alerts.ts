import type { Language } from "@andon/contract";

interface AlertText {
  readonly title: string;
  /** `{name}` stands for a fact of the alert: `queue`, `attempts`, `lane`, `name` (what the job is about), `error`. */
  readonly message: string;
  /** For an alert about several jobs that failed with the same cause; `{jobs}` is their number. */
  readonly several?: string;
}

export type AlertWording = Readonly<Record<Language, AlertText>>;

/**
 * What an alert of a queue can be about: a failure stopped the queue; it held the job's lanes; the jobs that waited
 * behind the job were cancelled; the job was skipped; it failed, and no job waits for it.
 */
export type AlertOccasion = "stopped" | "held" | "restCancelled" | "skipped" | "failed";

/** An alert type of an app. An occasion without texts has the core's. */
export interface AppAlert {
  readonly texts: Readonly<Partial<Record<AlertOccasion, AlertWording>>>;
  /** The runbook page that describes what to do. Default: the core's for the occasion. */
  readonly runbook?: string;
}

/** By type: the type of a stop is `<stopReason>_QUEUE_PAUSED`, that of a failed job is the queue's `heldAlert`. */
export type AppAlerts = Readonly<Record<string, AppAlert>>;
