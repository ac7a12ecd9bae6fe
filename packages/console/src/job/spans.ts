import type { JobDetail } from "../api/client.ts";

/** One period of a job. `to` is null while it lasts. */
export interface JobSpan {
  readonly id: string;
  readonly kind: "wait" | "backoff" | "park" | "run" | "done" | "failed" | "lost";
  readonly from: number;
  readonly to: number | null;
  /** The number and stage of an attempt. */
  readonly number?: number;
  readonly stage?: string | null;
  readonly outcome?: JobDetail["history"][number]["outcome"];
  readonly error?: string | null;
}

const IS_OVER: ReadonlySet<string> = new Set([
  "done",
  "failed",
  "cancelled",
  "skipped",
  "resolved",
  "aborted",
]);
/** Shorter pauses between two attempts are not shown. */
const SHORTEST_PAUSE_MS = 50;

/** The periods of a job since its creation: attempts, the pauses between them, and the times it was parked. */
export function spansOf(job: JobDetail): readonly JobSpan[] {
  const tries = triesOf(job);
  const parks = parksOf(job);
  const busy = [...tries, ...parks].toSorted((a, b) => a.from - b.from);
  const end = IS_OVER.has(job.state) ? endOf(job, busy) : null;
  const pauses: JobSpan[] = [];
  let from = Date.parse(job.createdAt);
  let hasRun = false;
  for (const span of busy) {
    if (span.from - from > SHORTEST_PAUSE_MS) pauses.push(pause(hasRun, from, span.from));
    from = Math.max(from, span.to ?? Number.POSITIVE_INFINITY);
    hasRun ||= span.kind !== "park";
  }
  const isWaiting = end === null && Number.isFinite(from);
  if (isWaiting) pauses.push(pause(hasRun, from, null));
  return [...pauses, ...busy].toSorted((a, b) => a.from - b.from);
}

function pause(hasRun: boolean, from: number, to: number | null): JobSpan {
  return { id: `pause-${from}`, kind: hasRun ? "backoff" : "wait", from, to };
}

function triesOf(job: JobDetail): JobSpan[] {
  const failed = job.history.map(
    (attempt, index): JobSpan => ({
      id: `attempt-${index}`,
      kind: attempt.outcome === "failed" ? "failed" : "lost",
      from: Date.parse(attempt.startedAt),
      to: Date.parse(attempt.finishedAt),
      number: attempt.number,
      stage: attempt.stage,
      outcome: attempt.outcome,
      error: attempt.message,
    }),
  );
  return [...failed, ...stagesOf(job), ...presentTry(job)];
}

/** The successful attempts of completed stages, which are the last attempts of those stages. */
function stagesOf(job: JobDetail): JobSpan[] {
  return (job.stages ?? []).flatMap(({ name, status, attempts, elapsedMs, finishedAt }): JobSpan[] => {
    if (status !== "completed" || finishedAt === null) return [];
    const to = Date.parse(finishedAt);
    const lastTry = job.history.findLast(({ stage }) => stage === name);
    const from = Math.max(to - elapsedMs, lastTry ? Date.parse(lastTry.finishedAt) : 0);
    return [{ id: `stage-${name}`, kind: "done", from, to, number: Math.max(1, attempts), stage: name }];
  });
}

/** The running attempt, or the successful one. */
function presentTry({ state, startedAt, finishedAt, attempts, stage, stages }: JobDetail): JobSpan[] {
  if (startedAt === null) return [];
  const name = stage ?? null;
  if (state === "running") {
    const from = Date.parse(stages?.find((each) => each.name === stage)?.startedAt ?? startedAt);
    return [{ id: "now", kind: "run", from, to: null, number: attempts + 1, stage: name }];
  }
  if (state !== "done" || finishedAt === null || stages) return [];
  return [
    {
      id: "done",
      kind: "done",
      from: Date.parse(startedAt),
      to: Date.parse(finishedAt),
      number: attempts + 1,
      stage: name,
    },
  ];
}

function parksOf({ events, state }: JobDetail): JobSpan[] {
  return events.flatMap(({ id, type, at }, index): JobSpan[] => {
    if (type !== "job.parked") return [];
    const back = events
      .slice(index + 1)
      .find((later) => later.type === "job.arrived" || later.type === "job.failed");
    if (!back && state !== "parked") return [];
    return [{ id: `park-${id}`, kind: "park", from: Date.parse(at), to: back ? Date.parse(back.at) : null }];
  });
}

function endOf({ finishedAt }: JobDetail, busy: readonly JobSpan[]): number {
  return finishedAt === null ? Math.max(0, ...busy.map(({ to }) => to ?? 0)) : Date.parse(finishedAt);
}
