import { iso } from "@andon/contract";
import type { QueueRow } from "@andon/engine";
import { type AlertDraft, draftAlert, type Occasion } from "./rules.ts";
import type { AlertSettings } from "./settings.ts";

export type WatchedSettings = Pick<
  AlertSettings,
  | "waitingAbove"
  | "waitingFor"
  | "pausedLongerThan"
  | "degradedLongerThan"
  | "unworkedLongerThan"
  | "updateEvery"
>;

/** The state of one queue at one pass of the watcher. */
export interface Seen {
  readonly row: Pick<
    QueueRow,
    "name" | "state" | "stopId" | "stoppedAt" | "stopReason" | "stopActor" | "degradedAt" | "probeJobId"
  >;
  readonly waiting: number;
  /** Since when more jobs wait than the settings allow; null if they do not. */
  readonly waitingSince: number | null;
  /** Since when the queue has lost its last worker; null if it has one, or never had one. */
  readonly unworkedSince: number | null;
  readonly now: number;
}

/** The alerts that are due, and the time at which the next one is due. */
export interface Due {
  readonly drafts: readonly AlertDraft[];
  readonly nextAt: number;
}

interface Condition {
  readonly type: string;
  readonly occasion: Occasion;
  /** Since when the condition holds; null if it does not. */
  since(seen: Seen): number | null;
  /** How long the condition may hold before the alert fires. */
  patience(settings: WatchedSettings): number;
  /** Distinguishes episodes. */
  subject(seen: Seen): string;
  details(seen: Seen, settings: WatchedSettings): Record<string, unknown>;
}

/** Conditions that may hold for a while before they are an alert. */
const CONDITIONS: readonly Condition[] = [
  {
    type: "QUEUE_WAITING_EXCEEDED",
    occasion: "waiting",
    since: ({ waitingSince }) => waitingSince,
    patience: ({ waitingFor }) => waitingFor,
    subject: () => "",
    details: ({ row, waiting }, { waitingAbove }) => ({ queue: row.name, waiting, waitingAbove }),
  },
  {
    type: "QUEUE_PAUSED_LONG_TIME",
    occasion: "pausedLong",
    since: ({ row }) => (row.stopId === null ? null : row.stoppedAt),
    patience: ({ pausedLongerThan }) => pausedLongerThan,
    subject: ({ row }) => row.stopId ?? "",
    details: ({ row, waiting }) => ({
      queue: row.name,
      pausedAt: iso(row.stoppedAt ?? 0),
      pauseReason: row.stopReason,
      pausedBy: row.stopActor,
      pendingJobCount: waiting,
    }),
  },
  {
    type: "QUEUE_DEGRADED",
    occasion: "degraded",
    since: ({ row }) => (row.state === "degraded" ? row.degradedAt : null),
    patience: ({ degradedLongerThan }) => degradedLongerThan,
    subject: degradedSubject,
    details: ({ row, waiting }) => ({
      queue: row.name,
      degradedAt: iso(row.degradedAt ?? 0),
      probeJobId: row.probeJobId,
      pendingJobCount: waiting,
    }),
  },
  {
    type: "QUEUE_WITHOUT_WORKER",
    occasion: "unworked",
    since: (seen) => (isUnworked(seen) ? seen.unworkedSince : null),
    patience: ({ unworkedLongerThan }) => unworkedLongerThan,
    subject: () => "",
    details: ({ row, waiting, unworkedSince }) => ({
      queue: row.name,
      waiting,
      lastWorkerGoneAt: iso(unworkedSince ?? 0),
    }),
  },
];

/** A stopped queue has an alert of its own, and no worker would run its jobs. */
function isUnworked({ row, waiting, unworkedSince }: Seen): boolean {
  return unworkedSince !== null && waiting > 0 && row.state !== "stopped";
}

function degradedSubject({ row }: Pick<Seen, "row">): string {
  return `degraded:${row.degradedAt}`;
}

export function dueAlerts(seen: Seen, settings: WatchedSettings): Due {
  const drafts: AlertDraft[] = [];
  let nextAt = Number.POSITIVE_INFINITY;
  for (const condition of CONDITIONS) {
    const since = condition.since(seen);
    if (since === null) continue;
    const { type, occasion } = condition;
    const dueAt = since + condition.patience(settings);
    if (dueAt > seen.now) nextAt = Math.min(nextAt, dueAt);
    else {
      const happening = { type, queue: seen.row.name, subject: condition.subject(seen) };
      drafts.push(draftAlert(occasion, { ...happening, details: condition.details(seen, settings) }));
    }
  }
  return { drafts, nextAt };
}

/** Whether the condition of an alert about a whole queue has ended. */
export function isOver(
  { occasion, subject }: { occasion: Occasion; subject: string },
  seen: Seen,
  { waitingAbove }: WatchedSettings,
): boolean {
  if (occasion === "unworked") return !isUnworked(seen);
  if (occasion === "waiting") return seen.waiting <= waitingAbove;
  if (occasion === "degraded") return seen.row.state !== "degraded" || subject !== degradedSubject(seen);
  return subject !== seen.row.stopId;
}
