import { Conditions, type PageOf, pageOfRows } from "@andon/app";
import { AndonError } from "@andon/contract";
import type { ExecutionStatus } from "../contract/states.ts";
import { EXECUTION_QUEUE, type FileflowContext, type Scope } from "../fileflow-context.ts";
import { addTimes, type TimeRange } from "../id-times.ts";
import { EXECUTION_COLUMNS, type ExecutionRow } from "./execution-rows.ts";

interface Wanted extends TimeRange {
  readonly status?: ExecutionStatus | undefined;
  readonly tenantId?: string | undefined;
  readonly orgId?: string | undefined;
  readonly pipelineCode?: string | undefined;
  readonly triggerType?: string | undefined;
  readonly fileId?: string | undefined;
  readonly text?: string | undefined;
}

/** A text search has no index, so it covers only this many of the newest executions. */
const MOST_SEARCHED = 10_000;

/**
 * One page of executions, newest first. Filters, order and count use the executions' own table and its indexes. The view,
 * which reads the engine's state of each job, is queried only for the rows of the page: among a million executions the view
 * took seconds.
 */
export async function listExecutions(
  context: FileflowContext,
  scope: Scope,
  wanted: Wanted,
  page: { page: number; limit: number },
): Promise<PageOf<ExecutionRow>> {
  const { store } = context.andon;
  const conditions = filterOf(scope, wanted);
  const from = await sourceOf(context, conditions, wanted.status);
  const found = await pageOfRows<{ id: string }, string>(
    store,
    { columns: "e.id", from, order: "e.id desc" },
    conditions,
    page,
    ({ id }) => id,
  );
  if (found.items.length === 0) return { ...found, items: [] };
  const rows = await store.scan<ExecutionRow>(
    `select ${EXECUTION_COLUMNS} from pipeline_executions e where e.id in (${found.items.map((_, at) => `$${at + 1}`).join(", ")})
     order by e.id desc`,
    found.items,
  );
  // An execution that moved on between the two statements now has another status.
  const isMeant = ({ status }: ExecutionRow) => wanted.status === undefined || status === wanted.status;
  return { ...found, items: rows.filter(isMeant) };
}

/** Refuses a tenant or organisation outside the caller's scope, because an empty list would look like an answer. */
function filterOf(scope: Scope, wanted: Wanted): Conditions {
  const { tenantId, organizationId } = scope;
  if (wanted.tenantId !== undefined && tenantId !== null && wanted.tenantId !== tenantId)
    throw new AndonError("PP-403-SCOPE", { given: wanted.tenantId });
  if (wanted.orgId !== undefined && organizationId !== null && wanted.orgId !== organizationId)
    throw new AndonError("PP-403-SCOPE", { given: wanted.orgId });
  const conditions = new Conditions().within(scope, "e");
  if (wanted.tenantId !== undefined) conditions.add("e.tenant_id = ?", wanted.tenantId);
  if (wanted.orgId !== undefined) conditions.add("e.organization_id = ?", wanted.orgId);
  if (wanted.pipelineCode !== undefined) {
    conditions.add("e.pipeline_code = ?", wanted.pipelineCode);
    // A literal condition, so that the partial index of these rows applies.
    if (wanted.pipelineCode !== "default") conditions.addText("e.pipeline_code <> 'default'");
  }
  if (wanted.triggerType !== undefined) {
    conditions.add("e.trigger_type = ?", wanted.triggerType);
    if (wanted.triggerType !== "UPLOAD") conditions.addText("e.trigger_type <> 'UPLOAD'");
  }
  if (wanted.fileId !== undefined) conditions.add("e.file_id = ?", wanted.fileId);
  if (wanted.text !== undefined)
    conditions
      .addText(`e.id in (select id from fileflow_executions order by id desc limit ${MOST_SEARCHED})`)
      .containing(["e.file_id", "coalesce(e.object_key, '')"], wanted.text);
  return addTimes(conditions, "e.created_at", wanted);
}

/**
 * The executions of a status. The rows of executions that have ended or completed a stage contain their status; for the
 * others the engine is queried.
 */
async function sourceOf(
  context: FileflowContext,
  conditions: Conditions,
  status: ExecutionStatus | undefined,
): Promise<string> {
  const all = "from fileflow_executions e";
  if (status === undefined) return all;
  if (status !== "PENDING" && status !== "RUNNING") {
    conditions.add("e.ended_status = ?", status);
    return all;
  }
  const started = (await startedJobs(context)).map((id) => conditions.param(id)).join(", ");
  if (status === "PENDING") {
    conditions.addText("e.ended_status is null and e.stages_done = 0");
    if (started !== "") conditions.addText(`e.id not in (${started})`);
    return all;
  }
  return `from ${runningOnes(started)} e`;
}

const COLUMNS =
  "id, tenant_id, organization_id, pipeline_code, trigger_type, file_id, object_key, created_at, ended_status, stages_done";
/**
 * Evaluates this subquery before any other filter, because few executions are between two stages. Without the limit, which is
 * higher than any number of rows, a planner uses an index of all executions of an organisation instead.
 */
const APART = "order by id desc limit 1000000000";

/** The executions that have started. `started`: parameters with the ids of those that have completed no stage. */
export function runningOnes(started: string): string {
  const onTheirWay = `select * from (select ${COLUMNS} from fileflow_executions where ended_status is null and stages_done > 0 ${APART}) w`;
  if (started === "") return `(${onTheirWay})`;
  return `(${onTheirWay} union all select ${COLUMNS} from fileflow_executions
    where ended_status is null and stages_done = 0 and id in (${started}))`;
}

const MOST_STARTED = 1_000;
const PER_PAGE = 100;

/** Jobs that run, are parked, or wait for their next attempt after a failure: at most a thousand of each. */
export async function startedJobs(context: FileflowContext): Promise<string[]> {
  const queue = context.queue(EXECUTION_QUEUE);
  const ids: string[] = [];
  for (const state of ["running", "parked", "scheduled"] as const)
    for (let page = 1; page <= MOST_STARTED / PER_PAGE; page++) {
      const { items } = await queue.jobs(state, { page, limit: PER_PAGE });
      ids.push(...items.map(({ id }) => id));
      if (items.length < PER_PAGE) break;
    }
  return [...new Set(ids)];
}
