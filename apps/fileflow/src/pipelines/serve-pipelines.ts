import { Conditions, type ServeAll } from "@andon/app";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { type FileflowContext, scopeOf } from "../fileflow-context.ts";
import type { Pipeline } from "./pipelines.ts";

export function servePipelines({
  pipelines,
  andon,
}: FileflowContext): ServeAll<typeof FILEFLOW_ROUTES>["pipelines"] {
  return {
    async list(call) {
      const { page, limit } = call.query;
      const conditions = new Conditions().addText("e.ended_status is null").within(scopeOf(call), "e");
      const rows = await andon.store.scan<{ code: string; status: string; count: number }>(
        `select e.pipeline_code as code, x.status, count(*) as count
         from (select e.id, e.pipeline_code from fileflow_executions e ${conditions.where} limit 20000) e
         join pipeline_executions x on x.id = e.id group by e.pipeline_code, x.status`,
        conditions.params,
      );
      const count = (code: string, status: string) =>
        Number(rows.find((row) => row.code === code && row.status === status)?.count ?? 0);
      const items = pipelines.all.slice((page - 1) * limit, page * limit).map((pipeline) => ({
        ...shownPipeline(pipeline),
        executions: { pending: count(pipeline.code, "PENDING"), running: count(pipeline.code, "RUNNING") },
      }));
      return { total: pipelines.all.length, page, limit, items };
    },
  };
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
