import { iso, isoOrNull, type Job, type Language, localError, withDecision } from "@andon/contract";
import { StudioError } from "../contract/errors.ts";
import { listImages, shownImage } from "../images/image-rows.ts";
import type { Scope, StudioContext } from "../studio-context.ts";
import { filmIn } from "../video/film.ts";
import { type StoredLine, shownLine } from "./task-log.ts";
import { findTask, statusOf, type TaskRow } from "./task-rows.ts";

const MOST_LINES = 200;
/** The phase status of each stage status of the engine. */
const PHASE_STATUS: Readonly<
  Record<string, "waiting" | "processing" | "completed" | "failed" | "cancelled">
> = {
  waiting: "waiting",
  parked: "waiting",
  running: "processing",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** The results of the completed phases. The result of the last phase is the job's result. */
export function madeBy(job: Job): Record<string, unknown> {
  return job.state === "done" && job.stage !== null
    ? { ...job.outputs, [job.stage]: job.result }
    : { ...job.outputs };
}

export async function showTask(
  { andon }: Pick<StudioContext, "andon">,
  scope: Scope,
  id: string,
  language: Language,
) {
  const { store } = andon;
  const task = await findTask(store, scope, id);
  const [[job], images, lines] = await Promise.all([
    andon.reading.jobs([id]),
    listImages(store, id),
    latestLines(store, id),
  ]);
  // The job was deleted or purged between the two reads.
  if (!job) throw new StudioError("TASK_NOT_FOUND");
  const [stages, pending] = await Promise.all([andon.stages(id), andon.pendingDecision(id)]);
  const made = madeBy(job);
  const isAtWork = job.state === "running";
  const percent = isAtWork ? (job.progress as { percent?: unknown } | null)?.percent : undefined;
  const { state, retryCount, maxRetries, elapsedTime, script: _script, ...own } = task;
  return {
    ...own,
    status: statusOf(state, isAtWork),
    priority: Number(task.priority),
    retryCount: Number(retryCount),
    maxRetries: Number(maxRetries),
    elapsedTime: elapsedTime === null ? null : Number(elapsedTime),
    error: state === "failed" && job.error ? localError(job.error, language).message : null,
    errorCode: state === "failed" && job.error ? job.error.code : null,
    scheduledTime: iso(task.scheduledTime),
    createdAt: iso(task.createdAt),
    startedAt: state !== "open" || isAtWork ? isoOrNull(job.startedAt) : null,
    completedAt: state === "open" ? null : isoOrNull(job.finishedAt),
    progress: typeof percent === "number" ? percent / 100 : null,
    waitsFor: waitsFor(job, task),
    allPhases: job.stages,
    hasVideo: filmIn(made) !== undefined && state !== "cancelled",
    metadata: made,
    ...withDecision(pending),
    images: images.map(shownImage),
    phases: stages.map(({ name, status, elapsedMs, startedAt, finishedAt }) => ({
      type: name,
      status:
        name === job.stage && state === "cancelled"
          ? ("cancelled" as const)
          : (PHASE_STATUS[status] ?? "waiting"),
      elapsedMs: Math.round(elapsedMs),
      startedAt: isoOrNull(startedAt),
      finishedAt: isoOrNull(finishedAt),
    })),
    logs: lines.map((line) => ({ ...shownLine(line, language), at: iso(Number(line.at)) })),
  };
}

/** The service wait of a job whose time is later than the task's own: a service asked for a retry then. */
function waitsFor({ state, awaits, runAt }: Job, task: Pick<TaskRow, "scheduledTime">) {
  if (awaits) return { event: "images" as const, until: isoOrNull(awaits.until) };
  const isPutOff = state === "scheduled" && runAt !== null && runAt > Number(task.scheduledTime);
  return isPutOff ? { event: "service" as const, until: iso(runAt) } : null;
}

async function latestLines(store: StudioContext["andon"]["store"], id: string): Promise<StoredLine[]> {
  const lines = await store.query<StoredLine>(
    `select at, type, level, message, code, details from task_log where task_id = $1 order by id desc limit ${MOST_LINES}`,
    [id],
  );
  return lines.reverse();
}
