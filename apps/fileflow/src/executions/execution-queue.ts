import type { AppQueue } from "@andon/app";
import type { Decision, Job, QueueRulesInput } from "@andon/contract";
import type { StageHandlers, Tx } from "@andon/engine";
import type { Figures } from "../figures.ts";
import type { FileflowContext } from "../fileflow-context.ts";
import type { ExecutionPayload } from "../ingest/create-executions.ts";
import type { PipelineStage } from "../pipelines/pipelines.ts";
import type { StageProgram } from "../stages/stage-program.ts";
import { cancelAtBoundary } from "./cancel-execution.ts";
import { isTimeout, shownStage } from "./execution-status.ts";
import { isRetriedByHand, RETRIED_BY_HAND, type RetriedByHand } from "./retried-by-hand.ts";
import type { Retries } from "./retry-execution.ts";
import { stageHandler } from "./stage-handler.ts";

/** The queue of executions: one job each, with the stages of all pipelines; tenants share it fairly. */
export function executionQueue(
  context: FileflowContext,
  programs: Readonly<Record<string, StageProgram>>,
  retries: Retries,
  figures: Figures,
): AppQueue {
  const { settings, pipelines, copies } = context;
  const stages = pipelines.all.flatMap((pipeline) => pipeline.stages);
  const payloadOf = (job: Job) => job.payload as ExecutionPayload;
  const ended = async (job: Job, tx: Tx, status: string, code: string | null) => {
    const endedAt = job.finishedAt ?? context.andon.store.clock.now();
    const [row] = await tx.query<{ asked: number | null } & RetriedByHand>(
      `update fileflow_executions set ended_status = $2, error_code = $3, completed_at = $4,
         started_at = coalesce(started_at, $5) where id = $1 and ended_status is null
       returning cancel_requested_at as asked, ${RETRIED_BY_HAND}`,
      [job.id, status, code, endedAt, job.startedAt],
    );
    if (status === "CANCELLED" && row?.asked != null) figures.time("cancel", "", endedAt - Number(row.asked));
    void copies.drop(job.id).catch(() => {});
    figures.count("ended", status);
    if (status !== "CANCELLED" && isRetriedByHand(row)) figures.count("manual_retries", "failed-again");
  };
  const cancelled = (job: Job, tx: Tx) => ended(job, tx, "CANCELLED", null);
  return {
    rules: {
      stages: stages.map(stageRules),
      fair: true,
      ...(settings.perTenant === undefined ? {} : { tenantConcurrency: settings.perTenant }),
      onFinalFailure: "hold-lane",
      probe: false,
      shareCommits: true,
      keep: { done: settings.keep, ended: settings.keep },
    },
    work: { places: settings.perWorker },
    noun: "execution",
    handler: Object.fromEntries(
      stages.map((stage) => [
        stage.id,
        stageHandler(context, stage, programs[stage.use] as StageProgram, figures),
      ]),
    ) as StageHandlers<never>,
    hooks: {
      failed: async (job, tx) => {
        const code = job.error?.code ?? "Error";
        figures.count("failures", code);
        figures.count("stage_ended", `${shownStage(job.stage)}:failed`);
        await ended(job, tx, isTimeout(code) ? "TIMEOUT" : "FAILED", code);
      },
      cancelled,
      resolved: async (job, tx) => {
        await tx.query("update fileflow_executions set ended_status = 'CANCELLED' where id = $1", [job.id]);
      },
      skipped: cancelled,
      retried: async (job, tx) => {
        await tx.query(
          `update fileflow_executions set ended_status = null, error_code = null, completed_at = null, cancel_requested_at = null,
             retries = retries + 1 where id = $1`,
          [job.id],
        );
      },
      deleted: async (job, tx) => {
        for (const table of ["fileflow_stages", "fileflow_extractions"])
          await tx.query(`delete from ${table} where execution_id = $1`, [job.id]);
        await tx.query("delete from fileflow_executions where id = $1", [job.id]);
      },
    },
    heldAlert: "EXECUTION_FAILED",
    describe: (job) => ({
      aggregateType: "EXECUTION",
      aggregateId: job.id,
      eventType: payloadOf(job).pipelineCode,
      name: payloadOf(job).fileId,
      data: job.payload,
    }),
    decide: {
      retry: async (job, decision: Decision, how) => {
        await retries.retry(job.id, decision, how);
        return {};
      },
      cancel: async (job, decision: Decision) => {
        const { outcome, decision: held } = await cancelAtBoundary(context, figures, job.id, decision);
        return { isRequested: outcome === "requested", pendingDecision: held };
      },
    },
  };
}

type StageRulesInput = NonNullable<QueueRulesInput["stages"]>[number];

/** The engine's rules for a stage of the settings. */
function stageRules({ id, retry, timeout, concurrency, rollBack }: PipelineStage): StageRulesInput {
  return {
    name: id,
    timeout,
    attempts: retry.type === "none" ? 1 : retry.max,
    backoff: {
      type: retry.type === "fixed" ? "fixed" : "exponential",
      delay: retry.delay,
      max: Math.max(retry.delay, retry.maxDelay),
    },
    ...(concurrency === undefined ? {} : { concurrency }),
    rollBack,
  };
}
