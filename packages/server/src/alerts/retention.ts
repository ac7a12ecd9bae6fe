import type { Andon } from "@andon/engine";

const MOST_AT_ONCE = 500;

/** Resolved alerts that fired before a time, oldest first, read from the index of the alert list. */
const OLD = `select id from server_alerts where fired_at < $1 and resolved_at is not null
order by fired_at, id limit ${MOST_AT_ONCE}`;

/** Deletes resolved alerts that are older than `keepMs`, with their deliveries. Open alerts stay. */
export async function dropOldAlerts(andon: Andon, keepMs: number): Promise<void> {
  const before = Math.floor(andon.store.clock.now() - keepMs);
  // Queried outside a transaction first, because in most minutes there is nothing to delete.
  while ((await andon.store.query(OLD, [before])).length > 0) {
    await andon.transaction(async (tx) => {
      await tx.query(`delete from server_alert_deliveries where alert_id in (${OLD})`, [before]);
      await tx.query(`delete from server_alerts where id in (${OLD})`, [before]);
    });
  }
}
