import { newId, type Queue, type StoreTx } from "@andon/engine";
import type { TriggerType } from "../contract/states.ts";
import type { Pipelines } from "../pipelines/pipelines.ts";
import { idempotencyKeyOf, type ObjectEvent } from "./object-event.ts";

/** What an execution is made from: an event, or a schedule's time without an object. */
export interface NewExecution extends Omit<ObjectEvent, "bucket" | "key" | "sequencer"> {
  readonly bucket: string | null;
  readonly key: string | null;
  readonly idempotencyKey: string;
  readonly triggerType: TriggerType;
  readonly scheduleId: string | null;
  readonly retryOf: string | null;
}

/** What became of it. `differs`: another event had this key, with another one of these. */
export type Created =
  | { readonly executionId: string; readonly created: boolean }
  | { readonly executionId: string; readonly differs: string };

/** What the engine's job carries. The rest is the app's row. */
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

/** What an earlier event with this key said. */
interface KeyRow extends Pick<NewExecution, "tenantId" | "organizationId" | "size" | "mimeType"> {
  readonly executionId: string;
}

/**
 * Makes the executions of these events in one transaction: key, row and job of each, or the answer that an earlier event had its key.
 * A statement per table, and one more where keys are known. Keys are taken in byte order, so that two transactions with the same
 * ones never wait for each other; jobs are added in the order of the events.
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
  await addJobs(tx, queue, pipelines, made);
  await insertRows(tx, made);
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

/** An execution that would be made, with the id that it would have: the row of its key names it. */
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

/** Whoever takes a key at the same moment is waited for; what they have committed then is left to them. */
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
      // Joined rather than `in (values …)`: for that SQLite reads the whole table.
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
 * Rows of one statement, by their number. What is missing up to the next of these is filled with rows of nulls, so that there are
 * few texts and the database keeps their plans: PostgreSQL takes as long to plan a text with thousands of parameters as to run it.
 */
const ROW_COUNTS = [1, 5, 10, 20, 40, 80, 160, 320] as const;
const PER_STATEMENT = 320;

function* parts<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += PER_STATEMENT) yield items.slice(at, at + PER_STATEMENT);
}

/** The rows as a common table expression called `given`. Its first column is null in rows that only fill up. */
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

/** PostgreSQL takes the parameters of such rows for text. */
const asNumber = (column: string) => `cast(${column} as bigint)`;
