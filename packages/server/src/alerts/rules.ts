import type { Alert } from "./alert-row.ts";

/** The consequence of a failed job that did not stop the queue. */
export type FailureOccasion = "held" | "restCancelled" | "skipped" | "failed";
/** The subject of an alert. */
export type Occasion =
  | "stopped"
  | FailureOccasion
  | "rollBackFailed"
  | "waiting"
  | "unworked"
  | "degraded"
  | "pausedLong"
  | "test";

interface AlertRule {
  readonly severity: Alert["severity"];
  /** One alert covers all jobs of a queue that failed with the same cause. */
  readonly isGrouped?: true;
  /** The page of docs/<language>/runbooks to link, unless the app that declares the type names another. */
  readonly runbook: string;
}

const OF_FAILURES = {
  severity: "WARNING",
  isGrouped: true,
  runbook: "failed-jobs",
} as const satisfies AlertRule;

/** Every alert of the core; texts.ts has their texts. Apps add types with their own texts. guide/alerts.md has the same table. */
const RULES: Readonly<Record<Occasion, AlertRule>> = {
  stopped: { severity: "CRITICAL", runbook: "line-stopped" },
  held: OF_FAILURES,
  restCancelled: OF_FAILURES,
  skipped: OF_FAILURES,
  failed: OF_FAILURES,
  rollBackFailed: { severity: "WARNING", runbook: "failed-jobs" },
  waiting: { severity: "WARNING", runbook: "jobs-waiting" },
  unworked: { severity: "CRITICAL", runbook: "queue-without-worker" },
  degraded: { severity: "WARNING", runbook: "queue-degraded" },
  pausedLong: { severity: "WARNING", runbook: "line-stopped" },
  test: { severity: "WARNING", runbook: "alerts-not-arriving" },
};

export function isGrouped(occasion: Occasion): boolean {
  return RULES[occasion]?.isGrouped ?? false;
}

export function runbookPage(occasion: Occasion): string {
  return RULES[occasion].runbook;
}

/** An alert that has not been stored yet. */
export interface AlertDraft {
  readonly occasion: Occasion;
  readonly type: string;
  readonly severity: Alert["severity"];
  /** Empty for an alert that is not about a queue. */
  readonly queue: string;
  /** Distinguishes episodes of one type and queue; for failures it is the cause. */
  readonly subject: string;
  /** The facts shown with the alert, which also fill the placeholders of its texts. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Facts for its texts that are not in the details, and details that differ by language. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The number of jobs it covers. Default: 1. */
  readonly count?: number;
}

export function draftAlert(
  occasion: Occasion,
  happening: Pick<AlertDraft, "type" | "queue" | "subject" | "details" | "facts" | "count">,
): AlertDraft {
  return { occasion, severity: RULES[occasion].severity, ...happening };
}
