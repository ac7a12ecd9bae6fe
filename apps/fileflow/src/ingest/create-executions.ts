import { newId, type Queue, type StoreTx } from "@andon/engine";
import type { TriggerType } from "../contract/states.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import { idempotencyKeyOf, type ObjectEvent } from "./object-event.ts";

/** The input of a new execution: an event, or a schedule's due time without an object. */
export interface NewExecution extends Omit<ObjectEvent, "bucket" | "key" | "sequencer"> {
  readonly bucket: string | null;
  readonly key: string | null;
  readonly idempotencyKey: string;
  readonly triggerType: TriggerType;
  readonly scheduleId: string | null;
  readonly retryOf: string | null;
}

/** The result. `differs`: an earlier event had this key with other values of these fields. */
export type Created =
  | { readonly executionId: string; readonly created: boolean }
  | { readonly executionId: string; readonly differs: string };

/** The payload of the engine's job. Everything else is in the app's row. */
export interface ExecutionPayload {
  readonly pipelineCode: string;
  readonly bucket: string | null;
  readonly key: string | null;
  readonly fileId: string;
  readonly mimeType: string | null;
  readonly size: number | null;
}

export function executionOf(event: ObjectEvent): NewExecution {
  const { sequencer: _, ...rest } = event;
  return {
    ...rest,
    idempotencyKey: idempotencyKeyOf(event),
    triggerType: "UPLOAD",
    scheduleId: null,
    retryOf: null,
  };
}

/** The fields of an earlier event with this key. */
interface KeyRow extends Pick<NewExecution, "tenantId" | "organizationId" | "size" | "mimeType"> {
  readonly executionId: string;
}

/**
 * Creates the executions of these events in one transaction: the key, row and job of each, or the execution of the earlier
 * event that has its key. Uses one statement per table, and one more if some keys are known. Keys are inserted in byte order,
 * so that two transactions with the same keys cannot deadlock; jobs are added in the order of the events.
 */
export async function createExecutions(
  tx: StoreTx,
  queue: Queue<unknown>,
  pipelines: Pipelines,
  wanted: readonly NewExecution[],
): Promise<Created[]> {
  const drafts = new Map<string, Draft>();
  for (const one of wanted) {
    const name = nameOf(one);
    if (!drafts.has(name)) drafts.set(name, { ...one, id: newId(tx.now()) });
  }
  const sorted = [...drafts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const taken = await takeKeys(
    tx,
    sorted.map(([, draft]) => draft),
  );
  const known = await knownKeys(
    tx,
    sorted.filter(([name]) => !taken.has(name)).map(([, draft]) => draft),
  );
  const made = [...drafts].filter(([name]) => taken.has(name)).map(([, draft]) => draft);
  // On PostgreSQL both are sent at once. Rows come first, like the keys: a change from an app's statements to the engine's costs ten settings.
  await Promise.all([insertRows(tx, made), addJobs(tx, queue, pipelines, made)]);
  const answered = new Set<string>();
  return wanted.map((one) => {
    const name = nameOf(one);
    const draft = drafts.get(name) as Draft;
    if (!taken.has(name)) return compared(one, known.get(name) as KeyRow);
    if (answered.has(name)) return compared(one, { ...draft, executionId: draft.id });
    answered.add(name);
    return { executionId: draft.id, created: true };
  });
}

/** A possible execution with its future id, which the row of its key already contains. */
interface Draft extends NewExecution {
  readonly id: string;
}

const nameOf = ({ tenantId, idempotencyKey }: NewExecution) => `${tenantId}\n${idempotencyKey}`;

function compared(one: NewExecution, row: KeyRow): Created {
  const { executionId } = row;
  const differs = [
    ...(row.size !== null && one.size !== null && Number(row.size) !== one.size ? ["size"] : []),
    ...(row.mimeType !== null && one.mimeType !== null && row.mimeType !== one.mimeType ? ["mime"] : []),
    ...(row.organizationId !== one.organizationId ? ["organizationId"] : []),
  ];
  return differs.length > 0 ? { executionId, differs: differs.join(", ") } : { executionId, created: false };
}

/**
 * Inserts the keys that are free. A concurrent transaction that inserts the same key is waited for; a key that it commits is
 * not taken.
 */
async function takeKeys(tx: StoreTx, of: readonly Draft[]): Promise<Set<string>> {
  const taken = new Set<string>();
  const columns = ["tenant_id", "idempotency_key", "execution_id", "organization_id", "mime_type"];
  const numbers = ["size", "created_at"];
  for (const part of parts(of)) {
    const { given, params } = givenRows(
      [...columns, ...numbers],
      part.map((one) => [
        one.tenantId,
        one.idempotencyKey,
        one.id,
        one.organizationId,
        one.mimeType,
        one.size,
        tx.now(),
      ]),
    );
    const rows = await tx.query<{ tenantId: string; key: string }>(
      `insert into fileflow_keys (${[...columns, ...numbers].join(", ")})
       ${given} select ${columns.join(", ")}, ${numbers.map(asNumber).join(", ")} from given where tenant_id is not null
       on conflict (tenant_id, idempotency_key) do nothing returning tenant_id as "tenantId", idempotency_key as key`,
      params,
    );
    for (const { tenantId, key } of rows) taken.add(`${tenantId}\n${key}`);
  }
  return taken;
}

async function knownKeys(tx: StoreTx, of: readonly NewExecution[]): Promise<Map<string, KeyRow>> {
  const found = new Map<string, KeyRow>();
  for (const part of parts(of)) {
    const { given, params } = givenRows(
      ["tenant_id", "idempotency_key"],
      part.map(({ tenantId, idempotencyKey }) => [tenantId, idempotencyKey]),
    );
    const rows = await tx.query<KeyRow & { key: string }>(
      // Joined, because for `in (values …)` SQLite reads the whole table.
      `${given} select k.tenant_id as "tenantId", k.idempotency_key as key, k.execution_id as "executionId",
         k.organization_id as "organizationId", k.size, k.mime_type as "mimeType"
       from given g join fileflow_keys k on k.tenant_id = g.tenant_id and k.idempotency_key = g.idempotency_key`,
      params,
    );
    for (const row of rows) found.set(`${row.tenantId}\n${row.key}`, row);
  }
  return found;
}

async function addJobs(
  tx: StoreTx,
  queue: Queue<unknown>,
  pipelines: Pipelines,
  made: readonly Draft[],
): Promise<void> {
  if (made.length === 0) return;
  const payloads = made.map(
    ({ pipelineCode, bucket, key, fileId, mimeType, size }): ExecutionPayload => ({
      pipelineCode,
      bucket,
      key,
      fileId,
      mimeType,
      size,
    }),
  );
  const options = (_: unknown, at: number) => {
    const { id, tenantId, organizationId, priority, traceId, pipelineCode } = made[at] as Draft;
    const stages = pipelines.mustFind(pipelineCode).stages.map((stage) => stage.id);
    return {
      id,
      tenant: tenantId,
      organization: organizationId,
      priority,
      traceId,
      name: pipelineCode,
      stages,
    };
  };
  await queue.addMany(payloads, options, { tx });
}

async function insertRows(tx: StoreTx, made: readonly Draft[]): Promise<void> {
  const columns = [
    "id",
    "tenant_id",
    "organization_id",
    "file_id",
    "pipeline_code",
    "trigger_type",
    "idempotency_key",
    "bucket",
    "object_key",
    "mime_type",
    "version_id",
    "e_tag",
    "trace_id",
    "uploader",
    "schedule_id",
    "retry_of",
  ];
  const numbers = ["size", "priority", "occurred_at", "created_at"];
  for (const part of parts(made)) {
    const { given, params } = givenRows(
      [...columns, ...numbers],
      part.map((one) => [
        one.id,
        one.tenantId,
        one.organizationId,
        one.fileId,
        one.pipelineCode,
        one.triggerType,
        one.idempotencyKey,
        one.bucket,
        one.key,
        one.mimeType,
        one.versionId,
        one.eTag,
        one.traceId,
        one.uploader,
        one.scheduleId,
        one.retryOf,
        one.size,
        one.priority,
        one.occurredAt,
        tx.now(),
      ]),
    );
    await tx.query(
      `insert into fileflow_executions (${[...columns, ...numbers].join(", ")})
       ${given} select ${columns.join(", ")}, ${numbers.map(asNumber).join(", ")} from given where id is not null`,
      params,
    );
  }
}

/**
 * Allowed numbers of rows per statement. Missing rows are filled with nulls, so that there are few statement texts and the
 * database keeps their plans: PostgreSQL takes as long to plan a text with thousands of parameters as to run it.
 */
const ROW_COUNTS = [1, 5, 10, 20, 40, 80, 160, 320] as const;
const PER_STATEMENT = 320;

function* parts<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += PER_STATEMENT) yield items.slice(at, at + PER_STATEMENT);
}

/** The rows as a common table expression named `given`. The first column is null in rows that are only padding. */
function givenRows(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): { given: string; params: unknown[] } {
  const count = ROW_COUNTS.find((most) => most >= rows.length) ?? PER_STATEMENT;
  const params = rows.flat();
  while (params.length < count * columns.length) params.push(null);
  const name = `${count} ${columns.join(", ")}`;
  const given = givenTexts.get(name) ?? givenText(columns, count);
  givenTexts.set(name, given);
  return { given, params };
}

const givenTexts = new Map<string, string>();

function givenText(columns: readonly string[], count: number): string {
  const row = (at: number) =>
    `(${columns.map((_, index) => `$${at * columns.length + index + 1}`).join(", ")})`;
  return `with given (${columns.join(", ")}) as (values ${Array.from({ length: count }, (_, at) => row(at)).join(", ")})`;
}

/** Without the cast, PostgreSQL treats the parameters of such rows as text. */
const asNumber = (column: string) => `cast(${column} as bigint)`;
