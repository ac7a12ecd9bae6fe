import type { Andon } from "@andon/engine";

const MOST_AT_ONCE = 500;

/** Alerts that are over and were fired before a time, oldest first, along the index of their list. */
const OLD = `select id from server_alerts where fired_at < $1 and resolved_at is not null
order by fired_at, id limit ${MOST_AT_ONCE}`;

/** Deletes alerts that are over and older than they are kept, with what became of their messages. Open ones stay. */
export async function dropOldAlerts(andon: Andon, keepMs: number): Promise<void> {
  const before = Math.floor(andon.store.clock.now() - keepMs);
  // A look without a transaction first: in most minutes there is nothing to delete.
  while ((await andon.store.query(OLD, [before])).length > 0) {
    await andon.transaction(async (tx) => {
      await tx.query(`delete from server_alert_deliveries where alert_id in (${OLD})`, [before]);
      await tx.query(`delete from server_alerts where id in (${OLD})`, [before]);
    });
  }
}
