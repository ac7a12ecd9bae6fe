import type { Language } from "@andon/contract";
import { type Alert, type AlertRow, alertOf, type ShownIn } from "../alert-row.ts";
import type { MessageStatus } from "../ledger.ts";

/** An alert as a channel sends it. */
export interface SentAlert extends Omit<Alert, "deliveries"> {
  readonly status: MessageStatus;
}

/** A firing message has no `resolvedAt`, even if the alert is resolved before the message is delivered. */
export function sentAlert(row: AlertRow, status: MessageStatus, shown: ShownIn): SentAlert {
  const alert = alertOf(row, shown);
  return { ...alert, resolvedAt: status === "resolved" ? alert.resolvedAt : null, status };
}

const RESOLVED: Record<Language, string> = { ko: "해결됨", en: "Resolved" };

/** One line, for a subject or a heading. */
export function headline(alert: SentAlert, language: Language): string {
  const title = alert.title.replace(/\s+/g, " ");
  return alert.status === "resolved" ? `${RESOLVED[language]}: ${title}` : title;
}

/** The facts of the alert, one per line. */
export function factLines({ type, details, firedAt, resolvedAt, id, links }: SentAlert): string[] {
  const facts = { type, ...details, firedAt, ...(resolvedAt ? { resolvedAt } : {}), alert: id, ...links };
  return Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
}
