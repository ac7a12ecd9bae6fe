import { iso, isoOrNull, type ROUTES } from "@andon/contract";
import type * as z from "zod";

/** An alert as the operator API shows it. */
export type Alert = z.output<(typeof ROUTES)["alerts"]["show"]["answer"]>;

export interface AlertRow {
  id: string;
  type: string;
  severity: Alert["severity"];
  queue: string;
  subject: string;
  title: string;
  message: string;
  details: string;
  fired_at: number;
  resolved_at: number | null;
}

export const ALERT_COLUMNS =
  "id, type, severity, queue, subject, title, message, details, fired_at, resolved_at";

/** The order in which every transaction takes alerts, so that no two wait for each other. */
export const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** An alert without what became of its messages. */
export function alertOf(row: AlertRow): Omit<Alert, "deliveries"> {
  const { id, type, severity, title, message } = row;
  return {
    id,
    type,
    severity,
    title,
    message,
    details: JSON.parse(row.details),
    firedAt: iso(row.fired_at),
    resolvedAt: isoOrNull(row.resolved_at),
  };
}
