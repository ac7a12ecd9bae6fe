import { AndonError, iso } from "@andon/contract";
import type { Store, StoreTx } from "@andon/engine";
import { ALERT_COLUMNS, type AlertRow } from "./alert-row.ts";

/** Acknowledges an alert: no more updates are sent. Its end is still sent to channels that want it. */
export async function acknowledgeAlert(
  store: Store,
  id: string,
  actor: string,
  reason?: string,
): Promise<void> {
  await store.transaction("acknowledge-alert", async (tx) => {
    const alert = await openAlert(tx, id);
    const note = reason?.trim() || null;
    await tx.query(
      "update server_alerts set acknowledged_at = $1, acknowledged_by = $2, acknowledge_reason = $3 where id = $4",
      [tx.now(), actor, note, id],
    );
    await tx.addAudit({
      actor,
      action: "alert.acknowledge",
      target: `alert:${id}`,
      reason: note,
      before: { acknowledgedBy: alert.acknowledged_by },
      after: { acknowledgedBy: actor },
    });
  });
}

/** The end of a snooze: a time, or a duration. */
export type SnoozeUntil = { readonly until: number } | { readonly for: number };

/** Snoozes an alert: until then only its end is sent. If it still fires then, it is sent again. */
export async function snoozeAlert(
  store: Store,
  id: string,
  actor: string,
  wish: SnoozeUntil,
  reason?: string,
): Promise<void> {
  await store.transaction("snooze-alert", async (tx) => {
    const alert = await openAlert(tx, id);
    const until = Math.floor("until" in wish ? wish.until : tx.now() + wish.for);
    if (until <= tx.now()) throw new AndonError("ALERT_SNOOZE_PAST", { until: iso(until) });
    await tx.query(
      "update server_alerts set snoozed_at = $1, snoozed_by = $2, snoozed_until = $3 where id = $4",
      [tx.now(), actor, until, id],
    );
    await tx.addAudit({
      actor,
      action: "alert.snooze",
      target: `alert:${id}`,
      reason: reason?.trim() || null,
      before: { snoozedUntil: alert.snoozed_until },
      after: { snoozedUntil: until },
    });
  });
}

/** Locks a firing alert, so that no other transaction resolves it or sends messages about it. */
async function openAlert(tx: StoreTx, id: string): Promise<AlertRow> {
  const [row] = await tx.query<AlertRow>(
    `update server_alerts set changed_at = changed_at where id = $1 returning ${ALERT_COLUMNS}`,
    [id],
  );
  if (!row) throw new AndonError("ALERT_NOT_FOUND", { alert: id });
  if (row.resolved_at !== null) throw new AndonError("ALERT_RESOLVED", { alert: id });
  return row;
}
