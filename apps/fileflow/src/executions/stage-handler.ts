import type { Job } from "@andon/contract";
import {
  commit,
  type Handler,
  type HandlerContext,
  type JobAborted,
  type StageHandler,
  type Tx,
} from "@andon/engine";
import type { Figures } from "../figures.ts";
import type { FileflowContext } from "../fileflow-context.ts";
import type { ExecutionPayload } from "../ingest/create-executions.ts";
import { LARGEST_IN_ROW, refOf } from "../objects/references.ts";
import type { PipelineStage } from "../pipelines/pipelines.ts";
import type { StageOutput, StageProgram, StageRun } from "../stages/stage-program.ts";
import type { StageText } from "../stages/stage-texts.ts";
import { shownStage } from "./execution-status.ts";
import { isRetriedByHand, RETRIED_BY_HAND, type RetriedByHand } from "./retried-by-hand.ts";

interface LogEntry {
  readonly at: number;
  readonly level: "info" | "warn";
  readonly attempt: number;
  readonly message: StageText;
}

/** Runs the program of a stage. Its history row, its output and the step to the next stage commit together. */
export function stageHandler(
  context: FileflowContext,
  stage: PipelineStage,
  program: StageProgram,
  figures: Figures,
): Handler<never> | StageHandler<never> {
  const { store } = context.andon;
  const run: Handler<never> = async (job, handler) => {
    const startedAt = store.clock.now();
    if (job.stage === job.stages[0] && handler.attempt === 1)
      figures.time("pick_up", "", startedAt - job.createdAt);
    if (handler.attempt > 1) figures.count("retries", stage.name);
    handler.signal.addEventListener("abort", () => {
      if ((handler.signal.reason as JobAborted).cause === "lost") figures.count("conflicts");
    });
    const log: LogEntry[] = [];
    const { writes, ...output } = await program.run(
      runOf(context, job, stage, handler, (level, message) =>
        log.push({ at: store.clock.now(), level, attempt: handler.attempt, message }),
      ),
    );
    const completedAt = store.clock.now();
    const kept = await keptOutput(context, job.id, stage.name, output, handler.signal);
    const row = { ...kept, ...(await keptLog(context, job.id, stage.name, log, handler.signal)) };
    const isLast = job.stages.at(-1) === job.stage;
    return commit(async (tx) => {
      await writes?.(tx);
      await saveStage(tx, job, stage.name, {
        status: output.skipped === undefined ? "COMPLETED" : "SKIPPED",
        reason: output.skipped ?? null,
        attempts: handler.attempt,
        startedAt,
        completedAt,
        ...row,
      });
      const isRetried = await moveOn(tx, job, startedAt, isLast ? completedAt : null);
      figures.time("stage", stage.name, completedAt - startedAt);
      figures.count("stage_ended", `${stage.name}:${output.skipped === undefined ? "completed" : "skipped"}`);
      if (isLast) {
        figures.count("ended", "COMPLETED");
        if (isRetried) figures.count("manual_retries", "succeeded");
        void context.copies.drop(job.id).catch(() => {});
      }
    }, output);
  };
  if (!stage.rollBack) return run;
  const rollBack: Handler<never> = async (job, handler) => {
    await program.rollBack?.(runOf(context, job, stage, handler, () => {}));
  };
  return { run, rollBack };
}

function runOf(
  context: FileflowContext,
  job: Job<never>,
  stage: PipelineStage,
  { attempt, signal }: HandlerContext,
  log: StageRun["log"],
): StageRun {
  const { fileId, bucket, key, mimeType, size } = job.payload as ExecutionPayload;
  const outputs = Object.fromEntries(
    Object.entries(job.outputs).map(([name, output]) => [shownStage(name) ?? name, output as StageOutput]),
  );
  const probed = Object.values(outputs).find(({ facts }) => typeof facts?.mimeType === "string")?.facts
    .mimeType;
  return {
    context,
    executionId: job.id,
    tenantId: job.tenant,
    organizationId: job.organization ?? "default",
    traceId: job.traceId ?? "",
    fileId,
    bucket,
    key,
    size,
    mimeType: (probed as string | undefined) ?? mimeType,
    claimedType: mimeType,
    stage: stage.name,
    timeoutMs: stage.timeout,
    attempt,
    outputs,
    signal,
    log,
  };
}

interface StageRow {
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly startedAt: number;
  readonly completedAt: number;
  readonly output: string | null;
  readonly outputRef: string | null;
  readonly log: string | null;
  readonly logRef: string | null;
}

/** Replaces an existing row, because a resumed execution runs its failed stage again. */
async function saveStage(tx: Tx, job: Job, name: string, row: StageRow): Promise<void> {
  await tx.query(
    `insert into fileflow_stages (execution_id, number, name, status, attempts, started_at, completed_at, output, output_ref, reason,
       log, log_ref) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (execution_id, number) do update set status = excluded.status, attempts = excluded.attempts,
       started_at = excluded.started_at, completed_at = excluded.completed_at, output = excluded.output,
       output_ref = excluded.output_ref, reason = excluded.reason, log = excluded.log, log_ref = excluded.log_ref`,
    [
      job.id,
      job.stages.indexOf(job.stage ?? ""),
      name,
      row.status,
      row.attempts,
      row.startedAt,
      row.completedAt,
      row.output,
      row.outputRef,
      row.reason,
      row.log,
      row.logRef,
    ],
  );
}

/** Returns whether it was retried by hand. */
async function moveOn(tx: Tx, job: Job, startedAt: number, completedAt: number | null): Promise<boolean> {
  const [row] = await tx.query<RetriedByHand>(
    `update fileflow_executions set stages_done = $2, started_at = coalesce(started_at, $3), completed_at = $4, ended_status = $5
     where id = $1 returning ${RETRIED_BY_HAND}`,
    [
      job.id,
      job.stages.indexOf(job.stage ?? "") + 1,
      startedAt,
      completedAt,
      completedAt === null ? null : "COMPLETED",
    ],
  );
  return isRetriedByHand(row);
}

async function keptOutput(
  { references }: FileflowContext,
  id: string,
  stage: string,
  { facts }: StageOutput,
  signal: AbortSignal,
) {
  const text = JSON.stringify(facts);
  if (Buffer.byteLength(text) <= LARGEST_IN_ROW) return { output: text, outputRef: null };
  const { ref } = await references.putText(refOf(id, stage, "output.json"), text, signal);
  return { output: null, outputRef: ref };
}

async function keptLog(
  { references }: FileflowContext,
  id: string,
  stage: string,
  log: readonly LogEntry[],
  signal: AbortSignal,
) {
  const text = JSON.stringify(log);
  if (Buffer.byteLength(text) <= LARGEST_IN_ROW) return { log: text, logRef: null };
  const { ref } = await references.putText(refOf(id, stage, "log.json"), text, signal);
  return { log: JSON.stringify(log.slice(-10)), logRef: ref };
}
