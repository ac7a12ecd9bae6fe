import type { Queue, StoreTx } from "@andon/engine";
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

interface KeyRow {
  readonly tenantId: string;
  readonly key: string;
  readonly executionId: string;
  readonly organizationId: string;
  readonly size: number | null;
  readonly mimeType: string | null;
}

const PER_STATEMENT = 500;

/**
 * Makes the executions of these events in one transaction: key, row and job of each, or the answer that an earlier event had its key.
 * Keys are taken in byte order, so that two transactions with the same ones never wait for each other.
 */
export async function createExecutions(
  tx: StoreTx,
  queue: Queue<unknown>,
  pipelines: Pipelines,
  wanted: readonly NewExecution[],
): Promise<Created[]> {
  const first = new Map<string, NewExecution>();
  for (const one of wanted) if (!first.has(nameOf(one))) first.set(nameOf(one), one);
  const sorted = [...first.entries()].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const known = await knownKeys(
    tx,
    sorted.map(([, one]) => one),
  );
  const candidates = sorted.filter(([name]) => !known.has(name)).map(([, one]) => one);
  // Drawn before the keys are taken, since the row of a key names the execution.
  const added = candidates.length === 0 ? [] : await takeKeys(tx, candidates);
  const taken = new Set(added.map(({ name }) => name));
  if (taken.size < candidates.length)
    for (const [name, row] of await knownKeys(
      tx,
      candidates.filter((one) => !taken.has(nameOf(one))),
    ))
      known.set(name, row);
  const made = candidates.filter((one) => taken.has(nameOf(one)));
  const ids = await addJobs(tx, queue, pipelines, made);
  await insertRows(tx, made, ids);
  await nameExecutions(tx, made, ids);
  const newIds = new Map(made.map((one, at) => [nameOf(one), ids[at] as string]));
  const answered = new Set<string>();
  return wanted.map((one) => {
    const name = nameOf(one);
    const id = newIds.get(name);
    if (id === undefined) return compared(one, known.get(name) as KeyRow);
    if (!answered.has(name)) {
      answered.add(name);
      return { executionId: id, created: true };
    }
    return compared(one, { ...asRow(first.get(name) as NewExecution), executionId: id });
  });
}

const nameOf = ({ tenantId, idempotencyKey }: NewExecution) => `${tenantId}\n${idempotencyKey}`;

function asRow({ tenantId, idempotencyKey, organizationId, size, mimeType }: NewExecution): KeyRow {
  return { tenantId, key: idempotencyKey, executionId: "", organizationId, size, mimeType };
}

function compared(one: NewExecution, row: KeyRow): Created {
  const { executionId } = row;
  const differs = [
    ...(row.size !== null && one.size !== null && Number(row.size) !== one.size ? ["size"] : []),
    ...(row.mimeType !== null && one.mimeType !== null && row.mimeType !== one.mimeType ? ["mime"] : []),
    ...(row.organizationId !== one.organizationId ? ["organizationId"] : []),
  ];
  return differs.length > 0 ? { executionId, differs: differs.join(", ") } : { executionId, created: false };
}

async function knownKeys(tx: StoreTx, of: readonly NewExecution[]): Promise<Map<string, KeyRow>> {
  const found = new Map<string, KeyRow>();
  for (const part of parts(of)) {
    const params = part.flatMap(({ tenantId, idempotencyKey }) => [tenantId, idempotencyKey]);
    const pairs = part.map((_, at) => `($${at * 2 + 1}, $${at * 2 + 2})`).join(", ");
    const rows = await tx.query<KeyRow>(
      // Joined rather than `in (values …)`: for that SQLite reads the whole table.
      `with wanted (tenant_id, idempotency_key) as (values ${pairs})
       select k.tenant_id as "tenantId", k.idempotency_key as key, k.execution_id as "executionId",
         k.organization_id as "organizationId", k.size, k.mime_type as "mimeType"
       from wanted w join fileflow_keys k on k.tenant_id = w.tenant_id and k.idempotency_key = w.idempotency_key`,
      params,
    );
    for (const row of rows) found.set(`${row.tenantId}\n${row.key}`, row);
  }
  return found;
}

/** Whoever takes a key at the same moment is waited for; what they have committed then is left to them. */
async function takeKeys(tx: StoreTx, of: readonly NewExecution[]): Promise<{ name: string }[]> {
  const taken: { name: string }[] = [];
  for (const part of parts(of)) {
    const now = tx.now();
    const rows = part.map((one) => [
      one.tenantId,
      one.idempotencyKey,
      "",
      one.organizationId,
      one.size,
      one.mimeType,
      now,
    ]);
    const { values, params } = valuesOf(rows);
    const inserted = await tx.query<{ tenantId: string; key: string }>(
      `insert into fileflow_keys (tenant_id, idempotency_key, execution_id, organization_id, size, mime_type, created_at)
       values ${values} on conflict (tenant_id, idempotency_key) do nothing
       returning tenant_id as "tenantId", idempotency_key as key`,
      params,
    );
    taken.push(...inserted.map(({ tenantId, key }) => ({ name: `${tenantId}\n${key}` })));
  }
  return taken;
}

async function addJobs(
  tx: StoreTx,
  queue: Queue<unknown>,
  pipelines: Pipelines,
  made: readonly NewExecution[],
): Promise<string[]> {
  if (made.length === 0) return [];
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
    const { tenantId, organizationId, priority, traceId, pipelineCode } = made[at] as NewExecution;
    const stages = pipelines.mustFind(pipelineCode).stages.map(({ id }) => id);
    return { tenant: tenantId, organization: organizationId, priority, traceId, name: pipelineCode, stages };
  };
  return (await queue.addMany(payloads, options, { tx })).map(({ id }) => id);
}

async function insertRows(tx: StoreTx, made: readonly NewExecution[], ids: readonly string[]): Promise<void> {
  let at = 0;
  for (const part of parts(made)) {
    const rows = part.map((one) => [
      ids[at++],
      one.tenantId,
      one.organizationId,
      one.fileId,
      one.pipelineCode,
      one.triggerType,
      one.idempotencyKey,
      one.bucket,
      one.key,
      one.size,
      one.mimeType,
      one.versionId,
      one.eTag,
      one.traceId,
      one.uploader,
      one.priority,
      one.occurredAt,
      one.scheduleId,
      one.retryOf,
      tx.now(),
    ]);
    const { values, params } = valuesOf(rows);
    await tx.query(
      `insert into fileflow_executions (id, tenant_id, organization_id, file_id, pipeline_code, trigger_type, idempotency_key,
         bucket, object_key, size, mime_type, version_id, e_tag, trace_id, uploader, priority, occurred_at, schedule_id, retry_of,
         created_at) values ${values}`,
      params,
    );
  }
}

async function nameExecutions(
  tx: StoreTx,
  made: readonly NewExecution[],
  ids: readonly string[],
): Promise<void> {
  let at = 0;
  for (const part of parts(made)) {
    const rows = part.map(({ tenantId, idempotencyKey }) => [tenantId, idempotencyKey, ids[at++]]);
    const { values, params } = valuesOf(rows);
    await tx.query(
      `with named (tenant_id, idempotency_key, execution_id) as (values ${values})
       update fileflow_keys as k set execution_id = n.execution_id from named n
       where k.tenant_id = n.tenant_id and k.idempotency_key = n.idempotency_key`,
      params,
    );
  }
}

function* parts<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += PER_STATEMENT) yield items.slice(at, at + PER_STATEMENT);
}

function valuesOf(rows: readonly (readonly unknown[])[]): { values: string; params: unknown[] } {
  let at = 0;
  const values = rows.map((row) => `(${row.map(() => `$${++at}`).join(", ")})`).join(", ");
  return { values, params: rows.flat() };
}
