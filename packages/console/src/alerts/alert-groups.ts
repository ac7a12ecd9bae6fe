import type { Alert } from "../api/client.ts";

/** Alerts that need a person first; then acknowledged or snoozed alerts; then resolved alerts. */
const GROUPS = ["firing", "acknowledged", "snoozed", "resolved"] as const;
type AlertGroup = (typeof GROUPS)[number];

export function groupOf({ resolvedAt, acknowledged, snoozed }: Alert): AlertGroup {
  if (resolvedAt !== null) return "resolved";
  if (snoozed) return "snoozed";
  return acknowledged ? "acknowledged" : "firing";
}

interface AlertsOfQueue {
  /** Empty for alerts that are not about one queue. */
  readonly queue: string;
  readonly alerts: readonly Alert[];
}

interface GroupOfAlerts {
  readonly group: AlertGroup;
  readonly count: number;
  readonly queues: readonly AlertsOfQueue[];
}

/** The alerts of a page by group, then by queue, in the server's order: critical alerts first. */
export function groupAlerts(alerts: readonly Alert[]): readonly GroupOfAlerts[] {
  return GROUPS.flatMap((group) => {
    const members = alerts.filter((alert) => groupOf(alert) === group);
    if (members.length === 0) return [];
    const names = [...new Set(members.map(queueOf))];
    const queues = names.map((queue) => ({
      queue,
      alerts: members.filter((alert) => queueOf(alert) === queue),
    }));
    return [{ group, count: members.length, queues }];
  });
}

function queueOf({ details: { queue } }: Alert): string {
  return typeof queue === "string" ? queue : "";
}
