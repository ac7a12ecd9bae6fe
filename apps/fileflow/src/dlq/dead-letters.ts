import { Conditions, pageOfRows } from "@andon/app";
import { iso, type Language } from "@andon/contract";
import { newId, type Store, type StoreTx } from "@andon/engine";
import { FileflowError } from "../contract/errors.ts";
import { DLQ_STATES, type DlqSource, type DlqState } from "../contract/states.ts";
import type { Figures } from "../figures.ts";
import type { Scope } from "../fileflow-context.ts";
import type { MessageOwner } from "../ingest/read-message.ts";
import { localReasons } from "../ingest/refusal-reasons.ts";

export interface NewDeadLetter {
  readonly error: string;
  readonly reasons: readonly string[];
  readonly raw: string;
  readonly owner: MessageOwner;
  readonly source: DlqSource;
  readonly actor: string;
  readonly idempotencyKey?: string;
  /** The id of the message in SQS. The same message is kept once. */
  readonly messageId?: string;
}

export interface DlqRow {
  readonly id: string;
  readonly tenantId: string | null;
  readonly organizationId: string | null;
  readonly source: DlqSource;
  readonly state: DlqState;
  readonly error: string;
  readonly reasons: string;
  readonly body: string;
  readonly redriveCount: number;
  readonly idempotencyKey: string | null;
  readonly executionId: string | null;
  readonly traceId: string | null;
  readonly messageId: string | null;
  readonly receivedAt: number;
}

const COLUMNS = `d.id, d.tenant_id as "tenantId", d.organization_id as "organizationId", d.source, d.state, d.error, d.reasons, d.body,
  d.redrive_count as "redriveCount", d.idempotency_key as "idempotencyKey", d.execution_id as "executionId", d.trace_id as "traceId",
  d.message_id as "messageId", d.received_at as "receivedAt"`;

/** Counts and random samples cover at most this many rows. */
const MOST_COUNTED = 10_000;
/** Lists show this many characters of a body. */
const PREVIEW = 2_000;
const LONGEST_BODY = 1_000_000;
const MOST_REASONS = 50;
const LONGEST_REASON = 500;

export type LineageEvent = "RECEIVED" | "REDRIVEN" | "DEAD_AGAIN" | "QUARANTINED" | "DISCARDED";

/** Messages that could not become executions. */
export class DeadLetters {
  readonly #store: Store;
  readonly #figures: Figures;

  constructor(store: Store, figures: Figures) {
    this.#store = store;
    this.#figures = figures;
  }

  /**
   * Keeps a message and returns its id. If SQS delivers the message again, returns the id of the letter that is already kept.
   */
  async keep(letter: NewDeadLetter): Promise<string> {
    const kept = await this.#store.transaction("dead-letter", async (tx) => {
      const id = newId(tx.now());
      const { tenantId, organizationId } = letter.owner;
      const [row] = await tx.query<{ id: string }>(
        `insert into fileflow_dlq (id, tenant_id, organization_id, source, state, error, reasons, body, idempotency_key, message_id,
           received_at) values ($1, $2, $3, $4, 'DEAD', $5, $6, $7, $8, $9, $10)
         on conflict (message_id) do nothing returning id`,
        [
          id,
          tenantId,
          organizationId,
          letter.source,
          letter.error,
          JSON.stringify(shortened(letter.reasons)),
          storable(letter.raw),
          letter.idempotencyKey ?? null,
          letter.messageId ?? null,
          tx.now(),
        ],
      );
      if (!row) {
        const [known] = await tx.query<{ id: string }>("select id from fileflow_dlq where message_id = $1", [
          letter.messageId,
        ]);
        return { id: known?.id ?? id, isNew: false };
      }
      await this.trace(tx, id, { event: "RECEIVED", actor: letter.actor, reason: letter.error });
      return { id, isNew: true };
    });
    if (kept.isNew) this.#figures.count("dead_letters", letter.error);
    return kept.id;
  }

  async trace(
    tx: StoreTx,
    id: string,
    {
      event,
      actor,
      reason = null,
      executionId = null,
    }: { event: LineageEvent; actor: string; reason?: string | null; executionId?: string | null },
  ): Promise<void> {
    await tx.query(
      `insert into fileflow_dlq_lineage (dlq_id, number, at, event, actor, reason, execution_id)
       select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6 from fileflow_dlq_lineage where dlq_id = $1`,
      [id, tx.now(), event, actor, reason, executionId],
    );
  }

  /** The states of the letters that are still kept. */
  async statesOf(ids: readonly string[]): Promise<Map<string, DlqState>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#store.query<{ id: string; state: DlqState }>(
      `select id, state from fileflow_dlq where id in (${ids.map((_, at) => `$${at + 1}`).join(", ")})`,
      ids,
    );
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  async find(scope: Scope, id: string): Promise<DlqRow> {
    const conditions = new Conditions().add("d.id = ?", id).within(scope, "d");
    const [row] = await this.#store.query<DlqRow>(
      `select ${COLUMNS} from fileflow_dlq d ${conditions.where}`,
      conditions.params,
    );
    if (!row) throw new FileflowError("DLQ_NOT_FOUND");
    return row;
  }

  /** The row, locked until this transaction ends. */
  async lock(tx: StoreTx, scope: Scope, id: string): Promise<DlqRow> {
    const conditions = new Conditions().add("d.id = ?", id).within(scope, "d");
    await tx.query("update fileflow_dlq set state = state where id = $1", [id]);
    const [row] = await tx.query<DlqRow>(
      `select ${COLUMNS} from fileflow_dlq d ${conditions.where}`,
      conditions.params,
    );
    if (!row) throw new FileflowError("DLQ_NOT_FOUND");
    return row;
  }

  async list(
    conditions: Conditions,
    { page, limit, isSample }: { page: number; limit: number; isSample: boolean },
    language: Language,
  ) {
    const drawn = isSample ? await this.#drawn(conditions, limit) : undefined;
    const found = await pageOfRows<DlqRow, DlqRow>(
      this.#store,
      { columns: COLUMNS, from: "from fileflow_dlq d", order: "d.id desc" },
      conditions,
      drawn ? { page: 1, limit: 0 } : { page, limit },
      (row) => row,
    );
    if (drawn) Object.assign(found, { limit, items: drawn });
    const lineages = await this.#lineages(found.items.map(({ id }) => id));
    return {
      ...found,
      items: found.items.map((row) => shown(row, lineages.get(row.id) ?? [], PREVIEW, language)),
    };
  }

  /** This many of the newest letters, in random order. */
  #drawn(conditions: Conditions, limit: number): Promise<DlqRow[]> {
    const newest = `select d.id from fileflow_dlq d ${conditions.where} order by d.id desc limit ${MOST_COUNTED}`;
    return this.#store.scan<DlqRow>(
      `select ${COLUMNS} from fileflow_dlq d where d.id in (select id from (${newest}) as newest order by random() limit ${limit})`,
      conditions.params,
    );
  }

  /** The number of dead letters per state. Counting stops at 10,001, which callers show as more than 10,000. */
  async countsByState(scope: Scope): Promise<Record<DlqState, number>> {
    const count = async (state: DlqState) => {
      const conditions = new Conditions().add("d.state = ?", state).within(scope, "d");
      const [row] = await this.#store.scan<{ count: number }>(
        `select count(*) as count from (select 1 from fileflow_dlq d ${conditions.where} limit ${MOST_COUNTED + 1}) as counted`,
        conditions.params,
      );
      return Number(row?.count ?? 0);
    };
    const counts: Partial<Record<DlqState, number>> = {};
    for (const state of DLQ_STATES) counts[state] = await count(state);
    return counts as Record<DlqState, number>;
  }

  async counts(scope: Scope) {
    const found = await this.countsByState(scope);
    const dead = new Conditions().addText("d.state = 'DEAD'").within(scope, "d");
    const byError = await this.#store.scan<{ error: string; count: number }>(
      `select d.error, count(*) as count from (select d.error from fileflow_dlq d ${dead.where} order by d.id desc
         limit ${MOST_COUNTED}) as d group by d.error order by count(*) desc, d.error`,
      dead.params,
    );
    return {
      counts: Object.fromEntries(
        DLQ_STATES.map((state) => [state, Math.min(found[state], MOST_COUNTED)]),
      ) as Record<DlqState, number>,
      more: DLQ_STATES.filter((state) => found[state] > MOST_COUNTED),
      byError: byError.map(({ error, count: sum }) => ({ error, count: Number(sum) })),
    };
  }

  async show(scope: Scope, id: string, language: Language) {
    const row = await this.find(scope, id);
    return shown(row, (await this.#lineages([id])).get(id) ?? [], Number.POSITIVE_INFINITY, language);
  }

  async #lineages(ids: readonly string[]): Promise<Map<string, Traced[]>> {
    const found = new Map<string, Traced[]>();
    if (ids.length === 0) return found;
    const rows = await this.#store.query<Traced & { id: string }>(
      `select dlq_id as id, at, event, actor, reason, execution_id as "executionId" from fileflow_dlq_lineage
       where dlq_id in (${ids.map((_, at) => `$${at + 1}`).join(", ")}) order by dlq_id, number`,
      ids,
    );
    for (const row of rows) found.set(row.id, [...(found.get(row.id) ?? []), row]);
    return found;
  }
}

interface Traced {
  readonly at: number;
  readonly event: LineageEvent;
  readonly actor: string;
  readonly reason: string | null;
  readonly executionId: string | null;
}

function shown(
  { reasons, body, receivedAt, messageId: _, ...row }: DlqRow,
  lineage: readonly Traced[],
  most: number,
  language: Language,
) {
  return {
    ...row,
    redriveCount: Number(row.redriveCount),
    reasons: localReasons(JSON.parse(reasons) as string[], language),
    body: body.length > most ? body.slice(0, most).toWellFormed() : body,
    isCut: body.length > most,
    receivedAt: iso(Number(receivedAt)),
    lineage: lineage.map(({ at, event, actor, reason, executionId }) => ({
      at: iso(Number(at)),
      event,
      by: actor,
      reason,
      executionId,
    })),
  };
}

function shortened(reasons: readonly string[]): string[] {
  return reasons.slice(0, MOST_REASONS).map((reason) => storable(reason.slice(0, LONGEST_REASON)));
}

/** PostgreSQL refuses NUL characters, and unpaired surrogates are not valid UTF-8. */
function storable(text: string): string {
  return text.slice(0, LONGEST_BODY).replaceAll("\u0000", "\ufffd").toWellFormed();
}
