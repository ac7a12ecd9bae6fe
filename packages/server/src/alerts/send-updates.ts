import type { Store } from "@andon/engine";
import { type AlertLedger, SEND_COLUMNS, type SendState } from "./ledger.ts";

interface SendPorts {
  readonly store: Store;
  readonly ledger: AlertLedger;
}

const isNews = (alert: SendState) => alert.count > alert.sent_count || alert.snoozed_until !== null;

/** Sends updates that were held back or snoozed until now. Returns when the next is due. */
export async function sendUpdates({ store, ledger }: SendPorts, open: readonly SendState[]): Promise<number> {
  const now = store.clock.now();
  let nextAt = Number.POSITIVE_INFINITY;
  for (const seen of open) {
    if (!isNews(seen)) continue;
    const dueAt = ledger.dueAt(seen);
    if (dueAt > now) {
      nextAt = Math.min(nextAt, dueAt);
      continue;
    }
    await store.transaction("update-alert", async (tx) => {
      const [alert] = await tx.query<SendState>(
        `update server_alerts set changed_at = changed_at where id = $1 and coalesce(resolved_at, 0) = 0 returning ${SEND_COLUMNS}`,
        [seen.id],
      );
      // Another process may have sent it in the meantime.
      if (alert && isNews(alert) && ledger.dueAt(alert) <= tx.now()) await ledger.update(tx, seen.id);
    });
  }
  return nextAt;
}
