import type { AppQueue, AppSite } from "@andon/app";
import type { Job } from "@andon/contract";
import type { QueueHooks, StageHandlers, Tx } from "@andon/engine";
import { StudioError } from "../contract/errors.ts";
import { cleanUpLater } from "../files/cleanup-queue.ts";
import { forgetMadeImages } from "../images/image-rows.ts";
import { type StudioContext, scopeOfDecision } from "../studio-context.ts";
import { forgetTask } from "../tasks/forget-task.ts";
import { failureText, type LogText, logText } from "../tasks/log-lines.ts";
import type { TaskDecisions } from "../tasks/task-decisions.ts";
import { type LogLevel, writeLog } from "../tasks/task-log.ts";
import { tallyMove } from "../tasks/task-tally.ts";
import type { Executor, Executors } from "./executor.ts";
import { rulesOf } from "./phase-list.ts";
import { phaseHandler } from "./run-phase.ts";

/**
 * The queue of tasks, with one stage per phase. Each stage runs as many tasks at once over the whole fleet as its phase
 * allows.
 */
export function taskQueue(context: StudioContext, executors: Executors, decisions: TaskDecisions): AppQueue {
  const { phases, settings } = context;
  const handlers = phases.map((phase) => [
    phase.name,
    phaseHandler(context, phase, executors[phase.executor] as Executor),
  ]);
  return {
    rules: rulesOf(phases, settings.keep),
    work: { places: phases.reduce((sum, { concurrency }) => sum + concurrency, 0) },
    handler: Object.fromEntries(handlers) as StageHandlers<never>,
    hooks: hooks(context, decisions),
    noun: "task",
    heldAlert: "TASK_FAILED",
    describe: (job) => ({
      aggregateType: "TASK",
      aggregateId: job.id,
      eventType: job.stage ?? "task",
      name: (job.payload as { title: string }).title,
      data: job.payload,
    }),
    decide: {
      retry: async (job, decision) => {
        await decisions.retry(job.id, decision, scopeOfDecision(decision));
        return {};
      },
      skip: async (job, decision) => {
        const { held } = await decisions.cancelFailed(job.id, decision, scopeOfDecision(decision));
        return { pendingDecision: held };
      },
      cancel: async (job, decision) => {
        const { status, held } = await decisions.cancel(job.id, decision, scopeOfDecision(decision));
        return { isRequested: status !== "cancelled", pendingDecision: held };
      },
      delete: async (job, decision) => {
        await decisions.remove(job.id, decision, scopeOfDecision(decision));
        return {};
      },
    },
  };
}

/** Updates a task's row in the transaction of its job. */
function hooks(context: Pick<AppSite, "queue" | "andon">, decisions: TaskDecisions): QueueHooks {
  const { clock } = context.andon.store;
  const log = (tx: Tx, job: Job, level: LogLevel, text: LogText) =>
    writeLog(tx, job.id, { at: clock.now(), type: job.stage, level, ...text });
  const cancelled = async (job: Job, tx: Tx) => {
    await tallyMove(tx, job.id, { state: "cancelled" }, clock.now());
    await tx.query("update task set state = 'cancelled' where task_id = $1", [job.id]);
    const { actor, reason } = job.resolution ?? { actor: "system", reason: null };
    const text = reason
      ? logText("CANCELLED_WITH_REASON", { actor, reason })
      : logText("CANCELLED", { actor });
    await log(tx, job, "warning", text);
    await forgetMadeImages(tx, job.id);
    await cleanUpLater(context, tx, job, "made");
  };
  return {
    failed: async (job, tx) => {
      // Waiting for an event is not work.
      const isWork = job.error?.code !== "PARK_EXPIRED" && job.startedAt !== null && job.finishedAt !== null;
      const elapsed = isWork ? Math.max(0, Number(job.finishedAt) - Number(job.startedAt)) : 0;
      await tallyMove(tx, job.id, { state: "failed" }, clock.now());
      await tx.query("update task set state = 'failed', elapsed_time = $2 where task_id = $1", [
        job.id,
        elapsed,
      ]);
      await log(tx, job, "error", failureText(job));
    },
    retried: async (job, tx) => {
      await tallyMove(tx, job.id, { state: "open" }, clock.now());
      const [row] = await tx.query<{ retryCount: number; maxRetries: number }>(
        `update task set state = 'open', retry_count = retry_count + 1 where task_id = $1
         returning retry_count as "retryCount", max_retries as "maxRetries"`,
        [job.id],
      );
      const { retryCount, maxRetries } = row ?? { retryCount: 0, maxRetries: 0 };
      if (retryCount > maxRetries && !decisions.isForced(job.id))
        throw new StudioError("TASK_RETRIES", {
          retryCount: Number(retryCount) - 1,
          maxRetries: Number(maxRetries),
        });
      await log(tx, job, "info", logText("RETRIED", { number: Number(retryCount) }));
    },
    cancelled,
    resolved: cancelled,
    skipped: cancelled,
    deleted: async (job, tx) => {
      await forgetTask(tx, job.id, clock.now());
      await cleanUpLater(context, tx, job, "all");
    },
  };
}
