import type { Alert } from "./alert-row.ts";

/** What a failed job did where it is not why the queue stopped. */
export type FailureOccasion = "held" | "restCancelled" | "skipped" | "failed";
/** What an alert can be about. */
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
  /** One alert stands for all jobs of a queue that failed the same way. */
  readonly isGrouped?: true;
  /** The page of docs/<language>/runbooks that tells what to do, unless the app of the type names another. */
  readonly runbook: string;
}

const OF_FAILURES = {
  severity: "WARNING",
  isGrouped: true,
  runbook: "failed-jobs",
} as const satisfies AlertRule;

/** Every alert of the core; texts.ts has their texts, apps bring types with texts of their own. The guide's table (docs: guide/alerts.md) tells the same. */
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
  /** Empty where it is about none. */
  readonly queue: string;
  /** Tells episodes of one type and queue apart: of failures the cause. */
  readonly subject: string;
  /** What is shown with it, and its texts are made from. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What its texts tell and the details do not, and details that differ by language. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Of how many jobs it tells. Default: 1. */
  readonly count?: number;
}

export function draftAlert(
  occasion: Occasion,
  happening: Pick<AlertDraft, "type" | "queue" | "subject" | "details" | "facts" | "count">,
): AlertDraft {
  return { occasion, severity: RULES[occasion].severity, ...happening };
}
