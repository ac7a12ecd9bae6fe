import { type Andon, newId, type StoreTx } from "@andon/engine";
import { alongIndex } from "@andon/store";
import { byId } from "./alert-row.ts";
import { type Channel, sendsResolved } from "./channels.ts";
import { ALERT_KIND_PREFIX } from "./outbox-rules.ts";
import type { AlertDraft, Occasion } from "./rules.ts";

export type MessageStatus = "firing" | "resolved";

/** What lies in the outbox. The deliverer looks the rest up, so that no secret and no text is stored twice. */
export interface AlertMessage {
  readonly alertId: string;
  readonly status: MessageStatus;
}

const OF_SUBJECT = alongIndex({ queue: "$1", subject: "$2" }, []);

/** Writes alerts, each with its messages in the same transaction: a crash loses neither or both. */
export class AlertLedger {
  readonly #andon: Andon;
  readonly #channels: readonly Channel[];

  constructor(andon: Andon, channels: readonly Channel[]) {
    this.#andon = andon;
    this.#channels = channels;
  }

  /** Undefined where the episode has its alert already. */
  async fire(tx: StoreTx, draft: AlertDraft): Promise<string | undefined> {
    for (;;) {
      const id = await this.#insert(tx, draft, null);
      if (id) await this.#send(tx, id, "firing", this.#channels);
      if (id || (await this.#keepOpen(tx, draft))) return id;
    }
  }

  /**
   * Locks the alert that the episode has, so that whoever finds it over at this moment waits, and looks again. False where
   * it was resolved just now: then there is none.
   */
  async #keepOpen(tx: StoreTx, { queue, type, subject }: AlertDraft): Promise<boolean> {
    const open = await tx.query(
      `update andon_alerts set subject = subject where queue = $1 and type = $2 and subject = $3 and resolved_at is null
returning id`,
      [queue, type, subject],
    );
    return open.length > 0;
  }

  /** Fires unless this subject ever had an alert of the type, be it resolved by now. */
  async fireOnce(tx: StoreTx, draft: AlertDraft): Promise<string | undefined> {
    const [before] = await tx.query(
      "select 1 from andon_alerts where queue = $1 and subject = $2 and type = $3 limit 1",
      [draft.queue, draft.subject, draft.type],
    );
    return before ? undefined : this.fire(tx, draft);
  }

  async hasOpen(tx: StoreTx, queue: string, occasion: Occasion): Promise<boolean> {
    const [open] = await tx.query(
      "select 1 from andon_alerts where occasion = $1 and queue = $2 and resolved_at is null limit 1",
      [occasion, queue],
    );
    return open !== undefined;
  }

  /** An alert that is over as it begins. */
  async fireResolved(tx: StoreTx, draft: AlertDraft): Promise<string> {
    const id = (await this.#insert(tx, draft, tx.now())) as string;
    await this.#send(tx, id, "firing", this.#channels);
    await this.#send(tx, id, "resolved", this.#channels.filter(sendsResolved));
    return id;
  }

  async resolve(tx: StoreTx, id: string): Promise<void> {
    // Not "is null": PostgreSQL would look for the id among all that are open, however many there are.
    const [resolved] = await tx.query(
      "update andon_alerts set resolved_at = $1 where id = $2 and coalesce(resolved_at, 0) = 0 returning id",
      [tx.now(), id],
    );
    if (resolved) await this.#send(tx, id, "resolved", this.#channels.filter(sendsResolved));
  }

  /** Resolves what is open about one subject of a queue. */
  async resolveSubject(tx: StoreTx, queue: string, subject: string): Promise<void> {
    const open = await tx.query<{ id: string }>(
      `select id from andon_alerts where ${OF_SUBJECT.where} and resolved_at is null order by ${OF_SUBJECT.order}`,
      [queue, subject],
    );
    for (const { id } of open.sort(byId)) await this.resolve(tx, id);
  }

  async #insert(tx: StoreTx, draft: AlertDraft, resolvedAt: number | null): Promise<string | undefined> {
    const { occasion, type, severity, queue, subject, title, message, details } = draft;
    const [inserted] = await tx.query<{ id: string }>(
      `insert into andon_alerts
  (id, occasion, type, severity, queue, subject, title, message, details, fired_at, resolved_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning id`,
      [
        newId(tx.now()),
        occasion,
        type,
        severity,
        queue,
        subject,
        title,
        message,
        JSON.stringify(details),
        tx.now(),
        resolvedAt,
      ],
    );
    return inserted?.id;
  }

  async #send(
    tx: StoreTx,
    alertId: string,
    status: MessageStatus,
    channels: readonly Channel[],
  ): Promise<void> {
    for (const { name, destination, settings } of channels) {
      const body: AlertMessage = { alertId, status };
      const kind = `${ALERT_KIND_PREFIX}${settings.type}`;
      const job = await this.#andon.outbox.send({ destination, kind, body }, { tx });
      await tx.query(
        "insert into andon_alert_deliveries (job_id, alert_id, channel, status) values ($1, $2, $3, $4)",
        [job.id, alertId, name, status],
      );
    }
  }
}
