import type { JobStage, QueueRules, StageRules, StageStatus } from "@andon/contract";
import type { Advance, Claim, EndedStage, JobRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";

/** The largest 32-bit integer: more than any limit, and valid in SQL. */
const NO_LIMIT = 2_147_483_647;

const ofStages = new WeakMap<QueueDefinition, Map<string, QueueDefinition>>();

/** The queue with the rules of one stage; rules that the stage does not set are the queue's own. */
export function definitionIn(queue: QueueDefinition, stage: string | null): QueueDefinition {
  const own = stage === null ? undefined : rulesOf(queue.rules, stage);
  if (!own) return queue;
  let known = ofStages.get(queue);
  if (!known) {
    known = new Map();
    ofStages.set(queue, known);
  }
  let definition = known.get(own.name);
  if (!definition) {
    const { attempts, backoff, timeout } = queue.rules;
    const rules = {
      ...queue.rules,
      attempts: own.attempts ?? attempts,
      backoff: own.backoff ?? backoff,
      timeout: own.timeout ?? timeout,
    };
    definition = { ...queue, rules };
    known.set(own.name, definition);
  }
  return definition;
}

export function rulesOf(rules: QueueRules, stage: string): StageRules | undefined {
  return rules.stages?.find(({ name }) => name === stage);
}

/** Limits of all stages by name, for a claim; null if no stage has one. */
export function stageLimits({ stages }: QueueRules): Readonly<Record<string, number>> | null {
  if (!stages?.some(({ concurrency }) => concurrency !== undefined)) return null;
  return Object.fromEntries(stages.map(({ name, concurrency }) => [name, concurrency ?? NO_LIMIT]));
}

/** The stage that follows the success of a claim; undefined if the job is complete then. `result` is JSON text. */
export function advanceOf(claim: Claim, result: string | null): Advance | undefined {
  const { job, stageStartedAt, stageElapsed, stored } = claim;
  const number = job.stages.indexOf(job.stage ?? "");
  const stage = job.stages[number + 1];
  if (number < 0 || stage === undefined || job.stage === null) return undefined;
  return {
    stage,
    outputs: outputsWith(job, result),
    number,
    name: job.stage,
    attempts: job.attempts + 1,
    firstStartedAt: stageStartedAt ?? job.startedAt ?? job.createdAt,
    elapsedBefore: stageElapsed,
    priority: job.priority,
    stored,
  };
}

/** JSON of all outputs, including that of the present stage. */
export function outputsWith(
  { outputs, stage }: Pick<JobRow, "outputs" | "stage">,
  result: string | null,
): string {
  return JSON.stringify({ ...outputs, [stage as string]: result === null ? null : JSON.parse(result) });
}

/**
 * The last stage before index `before` of the job's list that has a roll-back; undefined if there is none. The outputs
 * of stages are kept, so that a roll-back knows what to undo.
 */
export function stageToRollBack(
  { rules }: QueueDefinition,
  { stages }: Pick<JobRow, "stages">,
  before: number,
): string | undefined {
  return stages.slice(0, Math.max(0, before)).findLast((stage) => rulesOf(rules, stage)?.rollBack);
}

/** The present stage as it is stored in the history. */
export function endedStage(
  job: JobRow,
  status: StageStatus,
  { at, fence, attempts }: { at: number; fence: number; attempts: number },
): EndedStage {
  return {
    pos: job.pos,
    number: job.stages.indexOf(job.stage ?? ""),
    fence,
    name: job.stage ?? "",
    status,
    attempts,
    elapsedMs: job.stageElapsed,
    startedAt: job.stageStartedAt,
    finishedAt: at,
  };
}

/** The status of a job's present stage, by the job's state. */
const STATUS_OF: Record<JobRow["state"], StageStatus> = {
  scheduled: "waiting",
  blocked: "waiting",
  ready: "waiting",
  running: "running",
  parked: "parked",
  done: "completed",
  failed: "failed",
  cancelled: "cancelled",
  skipped: "skipped",
  resolved: "failed",
  aborted: "cancelled",
};

/** The stages that a job has reached, in their order: the history, and the present one from the job's row. */
export function stagesReached(job: JobRow, ended: readonly EndedStage[], now: number): JobStage[] {
  const present = job.stages.indexOf(job.stage ?? "");
  const isCancelled = job.cancelling !== null || job.state === "cancelled";
  const stages = ended.filter(({ number }) => isCancelled || number < present).map(shown);
  if (present < 0) return stages;
  if (job.cancelling) return stages.map((stage) => (stage.name === job.stage ? rollingBack(stage) : stage));
  if (isCancelled && ended.some(({ number }) => number === present)) return stages;
  return [...stages, presentStage(job, now)];
}

function shown({ name, status, attempts, elapsedMs, startedAt, finishedAt }: EndedStage): JobStage {
  return { name, status, attempts, elapsedMs, startedAt, finishedAt };
}

const rollingBack = (stage: JobStage): JobStage => ({ ...stage, status: "rolling-back" });

function presentStage(job: JobRow, now: number): JobStage {
  const isRunning = job.state === "running";
  const isDone = job.state === "done";
  const since = job.startedAt ?? now;
  const atWork = isRunning ? now - since : isDone ? (job.finishedAt ?? now) - since : 0;
  return {
    name: job.stage ?? "",
    status: STATUS_OF[job.state],
    attempts: job.attempts + (isRunning || isDone ? 1 : 0),
    elapsedMs: job.stageElapsed + Math.max(0, atWork),
    startedAt: job.stageStartedAt ?? (isRunning || isDone ? job.startedAt : null),
    finishedAt: ["done", "failed", "cancelled", "skipped", "resolved"].includes(job.state)
      ? job.finishedAt
      : null,
  };
}
