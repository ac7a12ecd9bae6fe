import type { Alert } from "../api/client.ts";

/** What needs a person first; then what somebody has taken up or put off; then what is over. */
const GROUPS = ["firing", "acknowledged", "snoozed", "resolved"] as const;
type AlertGroup = (typeof GROUPS)[number];

export function groupOf({ resolvedAt, acknowledged, snoozed }: Alert): AlertGroup {
  if (resolvedAt !== null) return "resolved";
  if (snoozed) return "snoozed";
  return acknowledged ? "acknowledged" : "firing";
}

interface AlertsOfQueue {
  /** Empty: the alerts are about no single queue. */
  readonly queue: string;
  readonly alerts: readonly Alert[];
}

interface GroupOfAlerts {
  readonly group: AlertGroup;
  readonly count: number;
  readonly queues: readonly AlertsOfQueue[];
}

/** The alerts of a page by what is done about them, then by queue: in the server's order, the critical first. */
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
