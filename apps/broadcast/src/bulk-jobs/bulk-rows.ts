import { Conditions, type PageOf, pageOfRows } from "@andon/app";
import type { Store } from "@andon/engine";
import type { Scope } from "../broadcast-context.ts";
import { BroadcastError } from "../contract/errors.ts";

/** A bulk job's own row, its texts, and the state that the engine knows. */
export interface BulkRow {
  readonly id: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly category: string;
  readonly title: string;
  readonly body: string;
  readonly chunkSize: number;
  readonly pauseMs: number;
  readonly maxPerSecond: number | null;
  readonly scheduledAt: number | null;
  readonly snapshot: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly jobState: string;
}

const COLUMNS = `j.id, j.tenant_id as "tenantId", j.organization_id as "organizationId", j.category, m.title, m.body,
  j.chunk_size as "chunkSize", j.pause_ms as "pauseMs", j.max_per_second as "maxPerSecond", j.scheduled_at as "scheduledAt",
  j.snapshot, j.created_by as "createdBy", j.created_at as "createdAt", j.job_state as "jobState"`;
const FROM = "from broadcast_job_states j join broadcast_messages m on m.job_id = j.id";
/** The engine keeps jobs that an operator cancelled, resolved or skipped; this app treats them as deleted. */
const NOT_DELETED = "j.job_state not in ('cancelled', 'resolved', 'skipped')";

export async function findBulkRow(store: Store, scope: Scope, id: string): Promise<BulkRow> {
  const conditions = new Conditions().add("j.id = ?", id).addText(NOT_DELETED).within(scope, "j");
  const [row] = await store.query<BulkRow>(
    `select ${COLUMNS} ${FROM} ${conditions.where}`,
    conditions.params,
  );
  if (!row) throw new BroadcastError("BULK_JOB_NOT_FOUND");
  return row;
}

export interface BulkFilter {
  readonly category?: string | undefined;
  /** Part of the title. */
  readonly text?: string | undefined;
  /** States of the engine. Default: all. */
  readonly jobStates?: readonly string[] | undefined;
  /** For scheduled jobs: true: those whose time is in the future; false: those that wait for a back-off. Default: both. */
  readonly isLater?: boolean | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Newest first. */
export async function listBulkRows(
  store: Store,
  scope: Scope,
  filter: BulkFilter,
  paging: { page: number; limit: number },
): Promise<PageOf<BulkRow>> {
  const { category, text, jobStates, isLater, ids } = filter;
  const conditions = new Conditions().addText(NOT_DELETED).within(scope, "j");
  if (category !== undefined) conditions.add("j.category = ?", category);
  if (text !== undefined) conditions.containing(["m.title"], text);
  if (jobStates)
    conditions.addText(`j.job_state in (${jobStates.map((state) => conditions.param(state)).join(", ")})`);
  if (ids) conditions.addText(`j.id in (${ids.map((id) => conditions.param(id)).join(", ")})`);
  if (isLater !== undefined) {
    const later = `coalesce(j.scheduled_at, 0) > ${conditions.param(store.clock.now())}`;
    conditions.addText(`(j.job_state <> 'scheduled' or ${isLater ? later : `not ${later}`})`);
  }
  const list = { columns: COLUMNS, from: FROM, order: "j.id desc" };
  return pageOfRows<BulkRow, BulkRow>(store, list, conditions, paging, (row) => row);
}
