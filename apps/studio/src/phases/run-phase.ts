import type { Job } from "@andon/contract";
import { commit, type Handler, type HandlerContext, type Tx } from "@andon/engine";
import type { StudioContext } from "../studio-context.ts";
import { logText } from "../tasks/log-lines.ts";
import { writeLog } from "../tasks/task-log.ts";
import { taskToWorkOn } from "../tasks/task-rows.ts";
import { tallyMove } from "../tasks/task-tally.ts";
import type { Executor, PhaseRun } from "./executor.ts";
import type { Phase } from "./phase-list.ts";
import { withinPhase } from "./phase-timeout.ts";
import { ServiceWait } from "./service-wait.ts";

/** The smallest step that is stored, because ffmpeg reports progress far more often. */
const PROGRESS_STEP = 0.01;

/** The handler of one phase. Runs its executor, then moves the task and its job to the next phase in one transaction. */
export function phaseHandler(context: StudioContext, phase: Phase, executor: Executor): Handler<never> {
  const { andon } = context;
  const { store } = andon;

  return async (job: Job<never>, handling: HandlerContext) => {
    const startedAt = store.clock.now();
    const task = await taskToWorkOn(store, job.id);
    const log: PhaseRun["log"] = async (text, level = "info") => {
      const own = typeof text === "object" && "code" in text ? text : logText("NOTE", { text });
      const line = { at: store.clock.now(), type: phase.name, level, ...own };
      await store.transaction("task-log", (tx) => writeLog(tx, job.id, line));
    };
    let shown = 0;
    const progress = (share: number) => {
      const next = Math.min(1, Math.max(0, share));
      if (next - shown < PROGRESS_STEP) return;
      shown = next;
      handling.progress({ percent: Math.round(next * 1_000) / 10 });
    };
    const output = await withinPhase(phase, handling.signal, (signal) =>
      executor({
        task,
        job,
        signal,
        fence: handling.fence,
        progress,
        log,
        checkpoint: handling.checkpoint,
        park: handling.park,
      }),
    ).catch(async (error: unknown) => {
      if (error instanceof ServiceWait)
        await log(logText("SERVICE_WAIT", { problem: error.problem, pause: error.ms }), "warning");
      throw error;
    });
    const now = store.clock.now();
    return commit((tx) => moveOn(tx, job, { elapsed: now - startedAt, now }), output);
  };
}

/** After a success, the row moves to the next phase or is completed. */
async function moveOn(tx: Tx, job: Job, { elapsed, now }: { elapsed: number; now: number }): Promise<void> {
  const type = job.stage as string;
  const next = job.stages[job.stages.indexOf(type) + 1];
  await tallyMove(tx, job.id, next === undefined ? { state: "completed" } : { type: next }, now);
  if (next === undefined)
    await tx.query("update task set state = 'completed', elapsed_time = $2 where task_id = $1", [
      job.id,
      elapsed,
    ]);
  else
    await tx.query("update task set type = $2, retry_count = 0, elapsed_time = $3 where task_id = $1", [
      job.id,
      next,
      elapsed,
    ]);
  const text =
    next === undefined
      ? logText("TASK_COMPLETED", { elapsed })
      : logText("PHASE_COMPLETED", { elapsed, next });
  await writeLog(tx, job.id, { at: now, type, level: "info", ...text });
}
