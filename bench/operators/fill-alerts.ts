import { randomUUID } from "node:crypto";
import { open } from "andon";
import { QUEUE } from "./store-mix.ts";

const IN_ONE_TRANSACTION = 500;

/** Inserts past alerts of held lanes, as many as failures cause over a long time. The server must have created its tables. */
export async function fillAlerts(url: string, count: number): Promise<void> {
  const andon = await open(url);
  for (let from = 0; from < count; from += IN_ONE_TRANSACTION) {
    await andon.transaction(async (tx) => {
      for (let n = from; n < Math.min(count, from + IN_ONE_TRANSACTION); n++) {
        const firedAt = Date.now() - 1_000 * (count - n);
        await tx.query(
          `insert into server_alerts
  (id, type, occasion, severity, queue, subject, title, message, details, fired_at, resolved_at)
values ($1, 'FILE_SYNC_FAILED', 'LANE_HELD', 'WARNING', $2, $3, 'A file is held', 'Its sync failed', '{}', $4, $5)`,
          [randomUUID(), QUEUE, `past-${n}`, firedAt, firedAt + 500],
        );
      }
    });
  }
  await andon.close();
}
