import { Conditions, type ServeAll } from "@andon/app";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { startedJobs } from "../executions/list-executions.ts";
import { type FileflowContext, type Scope, scopeOf } from "../fileflow-context.ts";
import type { Pipeline } from "./pipelines.ts";

/** Counting open executions stops at this number. */
const MOST_COUNTED = 10_000;

export function servePipelines(context: FileflowContext): ServeAll<typeof FILEFLOW_ROUTES>["pipelines"] {
  const { pipelines } = context;
  return {
    async list(call) {
      const { page, limit } = call.query;
      const rows = await openByPipeline(context, scopeOf(call));
      const more = rows.reduce((sum, { count }) => sum + Number(count), 0) > MOST_COUNTED;
      const count = (code: string, status: string) =>
        Math.min(
          MOST_COUNTED,
          Number(rows.find((row) => row.code === code && row.status === status)?.count ?? 0),
        );
      const items = pipelines.all.slice((page - 1) * limit, page * limit).map((pipeline) => ({
        ...shownPipeline(pipeline),
        executions: {
          pending: count(pipeline.code, "PENDING"),
          running: count(pipeline.code, "RUNNING"),
          more,
        },
      }));
      return { total: pipelines.all.length, page, limit, items };
    },
  };
}

/** Uses the executions' own rows, and the engine's list of started jobs for those whose rows do not show it. */
async function openByPipeline(context: FileflowContext, scope: Scope) {
  const conditions = new Conditions().addText("e.ended_status is null").within(scope, "e");
  const started = (await startedJobs(context)).map((id) => conditions.param(id)).join(", ");
  const isRunning = `e.stages_done > 0${started === "" ? "" : ` or e.id in (${started})`}`;
  return context.andon.store.scan<{ code: string; status: string; count: number }>(
    `select code, status, count(*) as count
     from (select e.pipeline_code as code, case when ${isRunning} then 'RUNNING' else 'PENDING' end as status
       from fileflow_executions e ${conditions.where} limit ${MOST_COUNTED + 1}) as open
     group by code, status`,
    conditions.params,
  );
}

function shownPipeline({ code, description, priority, match, stages }: Pipeline) {
  return {
    code,
    description: description ?? null,
    priority,
    match: {
      mimeTypes: match?.mimeTypes ?? [],
      tenantIds: match?.tenantIds ?? [],
      buckets: match?.buckets ?? [],
      prefix: match?.prefix ?? null,
    },
    stages: stages.map(({ name, use, retry, timeout, concurrency, rollBack }) => ({
      name,
      use,
      retry: { type: retry.type, max: retry.type === "none" ? 1 : retry.max, delayMs: retry.delay },
      timeoutMs: timeout,
      concurrency: concurrency ?? null,
      rollBack,
    })),
  };
}
