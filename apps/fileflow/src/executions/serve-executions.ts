import { Conditions, type ServeAll } from "@andon/app";
import { AndonError, isAndonError } from "@andon/contract";
import { FileflowError } from "../contract/errors.ts";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { contentOf, listExtractions } from "../extractions/serve-extractions.ts";
import type { Figures } from "../figures.ts";
import {
  decisionOf,
  EXECUTION_QUEUE,
  type FileflowContext,
  type Scope,
  scopeOf,
} from "../fileflow-context.ts";
import { addTimes } from "../id-times.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { countExecutions } from "./count-executions.ts";
import { findExecution, shownItem } from "./execution-rows.ts";
import { listExecutions } from "./list-executions.ts";
import type { Retries } from "./retry-execution.ts";
import { logsOf, showExecution } from "./show-execution.ts";

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
        const found = await listExecutions(context, scopeOf(call), wanted, { page, limit });
        return { ...found, items: found.items.map((row) => shownItem(row, call.language)) };
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
  addTimes(conditions, "e.created_at", filter);
  const rows = await andon.store.scan<{ id: string }>(
    `select e.id from fileflow_executions e ${conditions.where} order by e.id limit ${MOST_RETRIED}`,
    conditions.params,
  );
  return rows.map(({ id }) => id);
}

/** Upper ends of the histogram of reads, in milliseconds. */
export const READ_BUCKETS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];

function bucketOf(ms: number): string {
  return String(READ_BUCKETS.find((most) => ms <= most) ?? "+Inf");
}
