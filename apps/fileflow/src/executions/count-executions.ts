import { Conditions } from "@andon/app";
import { EXECUTION_STATUSES, type ExecutionStatus } from "../contract/states.ts";
import { EXECUTION_QUEUE, type FileflowContext, type Scope } from "../fileflow-context.ts";
import { runningOnes, startedJobs } from "./list-executions.ts";

const DAY = 86_400_000;
const TOP_ERRORS = 10;
/** Counting rows stops at this number. */
const MOST_COUNTED = 10_000;

type Counts = Record<ExecutionStatus, number>;

/**
 * Executions by status. For all tenants the counts are exact and come from the queue's own counts. For one tenant, counting
 * stops at a limit, and `more` names the statuses that exceed it.
 */
export async function countExecutions(context: FileflowContext, scope: Scope) {
  const of = await countersIn(context, scope);
  const counts =
    scope.tenantId === null && scope.organizationId === null ? await exact(context, of) : await bounded(of);
  return {
    counts: Object.fromEntries(
      EXECUTION_STATUSES.map((status) => [status, Math.min(counts.values[status], counts.most)]),
    ) as Counts,
    more: EXECUTION_STATUSES.filter((status) => counts.values[status] > counts.most),
    topErrors: await topErrors(context, scope),
  };
}

type Counters = Awaited<ReturnType<typeof countersIn>>;

async function countersIn(context: FileflowContext, scope: Scope) {
  const { store } = context.andon;
  const count = async (from: string, conditions: Conditions) => {
    const { where, params } = conditions.within(scope, "e");
    const [row] = await store.scan<{ count: number }>(
      `select count(*) as count from (select 1 from ${from} e ${where} limit ${MOST_COUNTED + 1}) as counted`,
      params,
    );
    return Number(row?.count ?? 0);
  };
  return {
    ended: (status: ExecutionStatus) =>
      count("fileflow_executions", new Conditions().add("e.ended_status = ?", status)),
    open: () => count("fileflow_executions", new Conditions().addText("e.ended_status is null")),
    async running() {
      const conditions = new Conditions();
      const started = (await startedJobs(context)).map((id) => conditions.param(id)).join(", ");
      return count(runningOnes(started), conditions);
    },
  };
}

async function bounded(of: Counters): Promise<{ values: Counts; most: number }> {
  const RUNNING = await of.running();
  const values: Counts = {
    RUNNING,
    PENDING: Math.max(0, (await of.open()) - RUNNING),
    COMPLETED: await of.ended("COMPLETED"),
    FAILED: await of.ended("FAILED"),
    CANCELLED: await of.ended("CANCELLED"),
    TIMEOUT: await of.ended("TIMEOUT"),
  };
  return { values, most: MOST_COUNTED };
}

/** COMPLETED and CANCELLED count since the first start, like the queue's counts. */
async function exact(context: FileflowContext, of: Counters): Promise<{ values: Counts; most: number }> {
  const { counts } = await context.queue(EXECUTION_QUEUE).status();
  const RUNNING = await of.running();
  const open = counts.ready + counts.blocked + counts.scheduled + counts.running + counts.parked;
  const TIMEOUT = await of.ended("TIMEOUT");
  const values: Counts = {
    RUNNING,
    PENDING: Math.max(0, open - RUNNING),
    COMPLETED: counts.done,
    FAILED: Math.max(0, counts.failed - TIMEOUT),
    CANCELLED: counts.cancelled + counts.skipped + counts.resolved,
    TIMEOUT,
  };
  return { values, most: Number.MAX_SAFE_INTEGER };
}

/** The most frequent error codes of the scope, among the newest failures of the last day. */
async function topErrors({ andon }: FileflowContext, scope: Scope) {
  const { store } = andon;
  const conditions = new Conditions();
  const since = conditions.param(store.clock.now() - DAY);
  const { where, params } = conditions.within(scope, "e");
  const rows = await store.scan<{ code: string | null; count: number }>(
    `select e.error_code as code, count(*) as count from (
       select error_code, tenant_id, organization_id from fileflow_executions
       where ended_status in ('FAILED', 'TIMEOUT') and completed_at >= ${since} order by completed_at desc limit ${MOST_COUNTED}) e
     ${where} group by e.error_code order by count(*) desc, e.error_code limit ${TOP_ERRORS}`,
    params,
  );
  return rows.map(({ code, count }) => ({ code: code ?? "Error", count: Number(count) }));
}
