import type { AppAlerts } from "@andon/app";
import { iso, isoOrNull, type Language, type ROUTES, shownDetail } from "@andon/contract";
import type * as z from "zod";
import { type AlertLinks, linksOf } from "./links.ts";
import { type AlertDraft, isGrouped, type Occasion, runbookPage } from "./rules.ts";
import { alertText } from "./texts.ts";

/** An alert as the operator API shows it. */
export type Alert = z.output<(typeof ROUTES)["alerts"]["show"]["answer"]>;

export interface AlertRow {
  id: string;
  type: string;
  occasion: Occasion;
  severity: Alert["severity"];
  queue: string;
  subject: string;
  details: string;
  count: number;
  unsettled: number;
  fired_at: number;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  acknowledge_reason: string | null;
  snoozed_at: number | null;
  snoozed_by: string | null;
  snoozed_until: number | null;
  resolved_at: number | null;
}

export const ALERT_COLUMNS = `id, type, occasion, severity, queue, subject, details, count, unsettled, fired_at,
  acknowledged_at, acknowledged_by, acknowledge_reason, snoozed_at, snoozed_by, snoozed_until, resolved_at`;

/** The order in which every transaction locks alerts, so that no two transactions deadlock. */
export const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** Stored as one JSON text: `details` is shown, and both fill the placeholders of the alert's texts. */
interface StoredDetails {
  readonly details: Readonly<Record<string, unknown>>;
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

export function storedDetails({ details, facts }: AlertDraft): string {
  return JSON.stringify({ details, facts } satisfies StoredDetails);
}

/** Sums over all open alerts of one queue and type. */
export interface OpenTogether {
  readonly jobs: number;
  readonly causes: number;
}

export interface ShownIn {
  readonly language: Language;
  /** Alert types of apps, with their texts. */
  readonly own: AppAlerts;
  readonly links: AlertLinks;
  /** Present if alerts of this type for several causes are open in its queue. */
  readonly together?: OpenTogether | undefined;
}

/** An alert in the reader's language, without its deliveries. */
export function alertOf(
  row: AlertRow,
  { language, own, links, together }: ShownIn,
): Omit<Alert, "deliveries"> {
  const { id, type, severity, occasion } = row;
  const { details, facts } = detailsOf(row, language);
  // A resolved alert shows how many jobs there were.
  const jobs = row.resolved_at === null ? row.unsettled : row.count;
  const { title, message } = alertText(
    { occasion, type, facts: { ...details, ...facts }, jobs, together },
    language,
    own,
  );
  return {
    id,
    type,
    severity,
    title,
    message,
    details,
    firedAt: iso(row.fired_at),
    resolvedAt: isoOrNull(row.resolved_at),
    acknowledged:
      row.acknowledged_at === null
        ? null
        : {
            at: iso(row.acknowledged_at),
            by: row.acknowledged_by ?? "",
            reason: row.acknowledge_reason,
          },
    snoozed:
      row.snoozed_until === null
        ? null
        : {
            at: iso(row.snoozed_at ?? row.snoozed_until),
            by: row.snoozed_by ?? "",
            until: iso(row.snoozed_until),
          },
    links: linksOf(links, { id, type, page: own[type]?.runbook ?? runbookPage(occasion), language }),
  };
}

/** A fact in both languages replaces the detail of the same name, which is in one language. */
function detailsOf(row: AlertRow, language: Language) {
  const { details = {}, facts = {} } = JSON.parse(row.details) as Partial<StoredDetails>;
  const local = Object.entries(facts).map(([name, fact]) => [name, shownDetail(fact, language)] as const);
  const replaced = local.filter(([name, fact]) => name in details && fact !== facts[name]);
  const counts = isGrouped(row.occasion) ? { count: row.count, unsettled: row.unsettled } : {};
  return {
    details: { ...details, ...Object.fromEntries(replaced), ...counts },
    facts: Object.fromEntries(local),
  };
}
