import { Conditions, pageOfRows, type ServeAll } from "@andon/app";
import { AndonError, isAndonError } from "@andon/contract";
import { FileflowError } from "../contract/errors.ts";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { EXECUTION_STATUSES, type ExecutionStatus } from "../contract/states.ts";
import { contentOf, listExtractions } from "../extractions/serve-extractions.ts";
import type { Figures } from "../figures.ts";
import {
  decisionOf,
  EXECUTION_QUEUE,
  type FileflowContext,
  type Scope,
  scopeOf,
} from "../fileflow-context.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { EXECUTION_COLUMNS, type ExecutionRow, findExecution, shownItem } from "./execution-rows.ts";
import type { Retries } from "./retry-execution.ts";
import { logsOf, showExecution } from "./show-execution.ts";

const DAY = 86_400_000;
const TOP_ERRORS = 10;

type Serve = ServeAll<typeof FILEFLOW_ROUTES>["executions"];

export function serveExecutions(context: FileflowContext, retries: Retries, figures: Figures): Serve {
  const { andon } = context;
  const { store } = andon;
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      const answer = await work();
      figures.count("reads", "allowed");
      return answer;
    } catch (error) {
      if (isAndonError(error)) figures.count("reads", "denied");
      throw error;
    } finally {
      figures.count("read_ms", bucketOf(performance.now() - startedAt));
    }
  };
  return {
    list: (call) =>
      timed(async () => {
        const { page, limit, ...wanted } = call.query;
        const conditions = filterOf(scopeOf(call), wanted);
        return pageOfRows<ExecutionRow, ReturnType<typeof shownItem>>(
          store,
          { columns: EXECUTION_COLUMNS, from: "from pipeline_executions e", order: "e.id desc" },
          conditions,
          { page, limit },
          (row) => shownItem(row, call.language),
        );
      }),
    counts: (call) => timed(() => countExecutions(context, scopeOf(call))),
    show: (call) => timed(() => showExecution(context, scopeOf(call), call.params.id, call.language)),
    logs: (call) => timed(() => logsOf(context, scopeOf(call), call.params.id, call.language)),
    extractions: (call) =>
      timed(async () => {
        await findExecution(store, scopeOf(call), call.params.id);
        return listExtractions(context, scopeOf(call), call.params.id, call.query);
      }),
    content: (call) => timed(() => contentOf(context, scopeOf(call), call, call.params.id)),
    cancel: (call) =>
      cancelExecution(context, figures, scopeOf(call), call.params.id, decisionOf(call, call.body.reason)),
    async retry(call) {
      const retried = await retries.retry(call.params.id, decisionOf(call, call.body.reason));
      return { accepted: true, ...retried };
    },
    async retryMany(call) {
      const { ids, filter, reason } = call.body;
      const meant = ids ?? (await failedOf(context, scopeOf(call), filter ?? {}));
      if (meant.length === 0) throw new AndonError("PLAN_EMPTY");
      for (const id of ids ?? []) await mustBeFailed(context, scopeOf(call), id);
      const queue = context.queue(EXECUTION_QUEUE);
      const decision = decisionOf(call, reason);
      const plan = await queue.plan({ action: "retry", ids: meant }, decision);
      const started = await queue.startApply(plan.id, decision);
      started.finished.catch(() => {});
      return {
        accepted: true,
        operationId: started.id,
        total: started.total,
        done: started.id === null ? started.total : 0,
      };
    },
  };
}

async function mustBeFailed({ andon }: FileflowContext, scope: Scope, id: string): Promise<void> {
  const { status } = await findExecution(andon.store, scope, id);
  if (status !== "FAILED" && status !== "TIMEOUT")
    throw new FileflowError("PP-409-STATE", { state: status, action: "retry" });
}

const MOST_RETRIED = 10_000;

async function failedOf(
  { andon }: FileflowContext,
  scope: Scope,
  filter: {
    status?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    pipelineCode?: string | undefined;
    errorCode?: string | undefined;
  },
): Promise<string[]> {
  const conditions = new Conditions().within(scope, "e");
  if (filter.status) conditions.add("e.ended_status = ?", filter.status);
  else conditions.addText("e.ended_status in ('FAILED', 'TIMEOUT')");
  conditions.addText("e.retried_as is null");
  if (filter.pipelineCode) conditions.add("e.pipeline_code = ?", filter.pipelineCode);
  if (filter.errorCode) conditions.add("e.error_code = ?", filter.errorCode);
  if (filter.from) conditions.add("e.created_at >= ?", Date.parse(filter.from));
  if (filter.to) conditions.add("e.created_at < ?", Date.parse(filter.to));
  const rows = await andon.store.scan<{ id: string }>(
    `select e.id from fileflow_executions e ${conditions.where} order by e.id limit ${MOST_RETRIED}`,
    conditions.params,
  );
  return rows.map(({ id }) => id);
}

interface Wanted {
  readonly status?: ExecutionStatus | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly orgId?: string | undefined;
  readonly pipelineCode?: string | undefined;
  readonly triggerType?: string | undefined;
  readonly fileId?: string | undefined;
}

/** A caller who names a tenant or organisation outside of their scope is refused: an empty list would look like an answer. */
function filterOf(scope: Scope, wanted: Wanted): Conditions {
  const { tenantId, organizationId } = scope;
  if (wanted.tenantId !== undefined && tenantId !== null && wanted.tenantId !== tenantId)
    throw new AndonError("PP-403-SCOPE", { given: wanted.tenantId });
  if (wanted.orgId !== undefined && organizationId !== null && wanted.orgId !== organizationId)
    throw new AndonError("PP-403-SCOPE", { given: wanted.orgId });
  const conditions = new Conditions().within(scope, "e");
  if (wanted.tenantId !== undefined) conditions.add("e.tenant_id = ?", wanted.tenantId);
  if (wanted.orgId !== undefined) conditions.add("e.organization_id = ?", wanted.orgId);
  if (wanted.status === "PENDING" || wanted.status === "RUNNING")
    conditions.addText("e.ended_status is null").add("e.status = ?", wanted.status);
  else if (wanted.status !== undefined) conditions.add("e.ended_status = ?", wanted.status);
  if (wanted.pipelineCode !== undefined) conditions.add("e.pipeline_code = ?", wanted.pipelineCode);
  if (wanted.triggerType !== undefined) conditions.add("e.trigger_type = ?", wanted.triggerType);
  if (wanted.fileId !== undefined) conditions.add("e.file_id = ?", wanted.fileId);
  if (wanted.from !== undefined) conditions.add("e.created_at >= ?", Date.parse(wanted.from));
  if (wanted.to !== undefined) conditions.add("e.created_at < ?", Date.parse(wanted.to));
  return conditions;
}

async function countExecutions({ andon }: FileflowContext, scope: Scope) {
  const { store } = andon;
  const all = new Conditions().within(scope, "e");
  const rows = await store.scan<{ status: ExecutionStatus; count: number }>(
    `select e.status, count(*) as count from pipeline_executions e ${all.where} group by e.status`,
    all.params,
  );
  const recent = new Conditions()
    .addText("e.ended_status in ('FAILED', 'TIMEOUT')")
    .add("e.completed_at >= ?", store.clock.now() - DAY)
    .within(scope, "e");
  const errors = await store.scan<{ code: string; count: number }>(
    `select e.error_code as code, count(*) as count from fileflow_executions e ${recent.where}
     group by e.error_code order by count(*) desc, e.error_code limit ${TOP_ERRORS}`,
    recent.params,
  );
  const found = new Map(rows.map(({ status, count }) => [status, Number(count)]));
  return {
    counts: Object.fromEntries(
      EXECUTION_STATUSES.map((status) => [status, found.get(status) ?? 0]),
    ) as Record<ExecutionStatus, number>,
    topErrors: errors.map(({ code, count }) => ({ code: code ?? "Error", count: Number(count) })),
  };
}

/** Upper ends of the histogram of reads, in milliseconds. */
export const READ_BUCKETS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];

function bucketOf(ms: number): string {
  return String(READ_BUCKETS.find((most) => ms <= most) ?? "+Inf");
}
