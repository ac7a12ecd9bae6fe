import { type Andon, newId, type StoreTx } from "@andon/engine";
import { alongIndex } from "@andon/store";
import { byId, storedDetails } from "./alert-row.ts";
import { type Channel, sendsResolved } from "./channels.ts";
import { ALERT_KIND_PREFIX } from "./outbox-rules.ts";
import { type AlertDraft, isGrouped, type Occasion } from "./rules.ts";

export type MessageStatus = "firing" | "resolved";

/** The message in the outbox. The deliverer reads the rest, so that no secret and no text is stored twice. */
export interface AlertMessage {
  readonly alertId: string;
  readonly status: MessageStatus;
}

/** The fields of an open alert that decide whether a message about it is due. */
export interface SendState {
  readonly id: string;
  readonly count: number;
  readonly sent_at: number;
  readonly sent_count: number;
  readonly acknowledged_at: number | null;
  readonly snoozed_until: number | null;
}
export const SEND_COLUMNS = "id, count, sent_at, sent_count, acknowledged_at, snoozed_until";

const OF_SUBJECT = alongIndex({ queue: "$1", subject: "$2" }, []);

interface LedgerOptions {
  readonly andon: Andon;
  readonly channels: readonly Channel[];
  /** The minimum time between two messages of one alert. */
  readonly updateEvery: number;
}

/** Writes alerts, each with its messages in the same transaction: a crash loses both or neither. */
export class AlertLedger {
  readonly #andon: Andon;
  readonly #channels: readonly Channel[];
  readonly #updateEvery: number;

  constructor({ andon, channels, updateEvery }: LedgerOptions) {
    this.#andon = andon;
    this.#channels = channels;
    this.#updateEvery = updateEvery;
  }

  /** Returns undefined if the episode already has an alert. An alert about failed jobs then counts the new jobs. */
  async fire(tx: StoreTx, draft: AlertDraft): Promise<string | undefined> {
    for (;;) {
      const id = await this.#insert(tx, draft, null);
      if (id) await this.#send(tx, id, "firing", this.#channels);
      if (id || (await this.#addTo(tx, draft))) return id;
    }
  }

  /**
   * Locks the open alert of the episode, so that a concurrent resolver waits and checks again. Returns false if the alert was
   * resolved in the meantime, so that none is open.
   */
  async #addTo(tx: StoreTx, draft: AlertDraft): Promise<boolean> {
    const { queue, type, subject, count = 1 } = draft;
    const added = isGrouped(draft.occasion) ? count : 0;
    const [open] = await tx.query<SendState>(
      `update server_alerts set unsettled = unsettled + $4, changed_at = $5,
  count = case when unsettled + $4 > count then unsettled + $4 else count end,
  details = case when $4 > 0 then $6 else details end
where queue = $1 and type = $2 and subject = $3 and resolved_at is null
returning ${SEND_COLUMNS}`,
      [queue, type, subject, added, tx.now(), storedDetails(draft)],
    );
    if (open && this.isUpdateDue(open, tx.now())) await this.update(tx, open.id);
    return open !== undefined;
  }

  /** Whether a message about more jobs than the last message reported is due now. */
  isUpdateDue(alert: SendState, now: number): boolean {
    return alert.count > alert.sent_count && this.dueAt(alert) <= now;
  }

  /** When the next message about an alert may be sent; never after an acknowledgement. */
  dueAt({ sent_at, acknowledged_at, snoozed_until }: SendState): number {
    if (acknowledged_at !== null) return Number.POSITIVE_INFINITY;
    return Math.max(sent_at + this.#updateEvery, snoozed_until ?? 0);
  }

  /** Sends the current state of an open alert. */
  async update(tx: StoreTx, id: string): Promise<void> {
    // Not `is null`: PostgreSQL would use the index of open alerts and search all of it for the id.
    const [open] = await tx.query(
      `update server_alerts set sent_at = $1, sent_count = count, snoozed_at = null, snoozed_by = null, snoozed_until = null
where id = $2 and coalesce(resolved_at, 0) = 0 returning id`,
      [tx.now(), id],
    );
    if (open) await this.#send(tx, id, "firing", this.#channels);
  }

  /** Fires unless this subject ever had an alert of this type, open or resolved. */
  async fireOnce(tx: StoreTx, draft: AlertDraft): Promise<string | undefined> {
    const [before] = await tx.query(
      "select 1 from server_alerts where queue = $1 and subject = $2 and type = $3 limit 1",
      [draft.queue, draft.subject, draft.type],
    );
    return before ? undefined : this.fire(tx, draft);
  }

  async hasOpen(tx: StoreTx, queue: string, occasion: Occasion): Promise<boolean> {
    const [open] = await tx.query(
      "select 1 from server_alerts where occasion = $1 and queue = $2 and resolved_at is null limit 1",
      [occasion, queue],
    );
    return open !== undefined;
  }

  /** Whether the episode of a draft has an open alert. */
  async isOpen(tx: StoreTx, { queue, type, subject }: AlertDraft): Promise<boolean> {
    const [open] = await tx.query(
      "select 1 from server_alerts where queue = $1 and type = $2 and subject = $3 and resolved_at is null",
      [queue, type, subject],
    );
    return open !== undefined;
  }

  /** Writes an alert that is resolved as it fires. */
  async fireResolved(tx: StoreTx, draft: AlertDraft): Promise<string> {
    const id = (await this.#insert(tx, draft, tx.now())) as string;
    await this.#send(tx, id, "firing", this.#channels);
    await this.#send(tx, id, "resolved", this.#channels.filter(sendsResolved));
    return id;
  }

  async resolve(tx: StoreTx, id: string): Promise<void> {
    const [resolved] = await tx.query(
      `update server_alerts set resolved_at = $1, changed_at = $1, unsettled = 0
where id = $2 and coalesce(resolved_at, 0) = 0 returning id`,
      [tx.now(), id],
    );
    if (resolved) await this.#send(tx, id, "resolved", this.#channels.filter(sendsResolved));
  }

  /** Resolves all open alerts about one subject of a queue. */
  async resolveSubject(tx: StoreTx, queue: string, subject: string): Promise<void> {
    const open = await tx.query<{ id: string }>(
      `select id from server_alerts where ${OF_SUBJECT.where} and resolved_at is null order by ${OF_SUBJECT.order}`,
      [queue, subject],
    );
    for (const { id } of open.sort(byId)) await this.resolve(tx, id);
  }

  /**
   * Called when failed jobs of one cause were settled. It locks their open alerts first, so that a job that fails with the
   * same cause at this moment is either seen here, or finds the alert resolved and fires the next one.
   */
  async settle(tx: StoreTx, queue: string, cause: string, jobs: number): Promise<void> {
    const open = await tx.query<{ id: string }>(
      `update server_alerts set changed_at = $4, unsettled = case when unsettled > $3 then unsettled - $3 else 1 end
where queue = $1 and subject = $2 and resolved_at is null and occasion <> 'skipped' returning id`,
      [queue, cause, jobs, tx.now()],
    );
    if (open.length === 0 || (await tx.failures.hasFailed(queue, cause))) return;
    for (const { id } of open.sort(byId)) await this.resolve(tx, id);
  }

  async #insert(tx: StoreTx, draft: AlertDraft, resolvedAt: number | null): Promise<string | undefined> {
    const { occasion, type, severity, queue, subject, count = 1 } = draft;
    const now = tx.now();
    const [inserted] = await tx.query<{ id: string }>(
      `insert into server_alerts
  (id, occasion, type, severity, queue, subject, details, count, unsettled, sent_count, fired_at, changed_at, sent_at, resolved_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8, $9, $9, $9, $10) on conflict do nothing returning id`,
      [newId(now), occasion, type, severity, queue, subject, storedDetails(draft), count, now, resolvedAt],
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
        "insert into server_alert_deliveries (job_id, alert_id, channel, status) values ($1, $2, $3, $4)",
        [job.id, alertId, name, status],
      );
    }
  }
}
