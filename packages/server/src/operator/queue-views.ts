import {
  type Attempt,
  delayedOf,
  errorText,
  iso,
  isoOrNull,
  type Job,
  type JobCounts,
  type Language,
  localError,
  type Principal,
  type RampStatus,
  waitingOf,
} from "@andon/contract";
import { isNarrow, type JobRow, type QueueOverview, type QueueRow, rampOf } from "@andon/engine";
import type { Site } from "../site.ts";
import { plainDescription, SYNC_STATUS } from "./describe-job.ts";
import { knownQueue } from "./find.ts";
import { scopeOf } from "./scope.ts";
import { wireJob, wireStage } from "./wire.ts";

/** The five counts of a status. Scheduled and parked jobs are `delayed`; all other jobs that wait are `waiting`. */
function seedCounts(counts: JobCounts) {
  return {
    waiting: waitingOf(counts),
    active: counts.running,
    failed: counts.failed,
    completed: counts.done,
    delayed: delayedOf(counts),
  };
}

async function countsFor(site: Site, principal: Principal, queue: string): Promise<JobCounts> {
  const { read } = site.andon.store;
  const scope = scopeOf(principal);
  return isNarrow(scope) ? (await read.countsOfScope(queue, scope)).counts : read.counts(queue);
}

function pauseOf(row: QueueRow) {
  const isPaused = row.state === "stopped";
  return { isPaused, pausedAt: isoOrNull(row.stoppedAt), pauseReason: isPaused ? row.stopReason : null };
}

export async function statusView(site: Site, principal: Principal, queue: string) {
  const row = await knownQueue(site, queue);
  const { isPaused, pausedAt, pauseReason } = pauseOf(row);
  const counts = seedCounts(await countsFor(site, principal, queue));
  return { isPaused, ...counts, pausedAt, pauseReason };
}

/** Fields that only a BullMQ queue has. */
interface BullmqView {
  readonly failedReason: string | null;
  readonly runningAtStop: number | null;
  readonly problem: string | null;
}

export type OverviewView = ReturnType<typeof overviewView>;

export async function overviewViews(
  site: Site,
  principal: Principal,
  rows: readonly QueueRow[],
): Promise<OverviewView[]> {
  const scope = scopeOf(principal);
  if (isNarrow(scope))
    return Promise.all(
      rows.map(async (row) => overviewView(site, row, await factsInScope(site, scope, row))),
    );
  const { read, clock } = site.andon.store;
  const names = rows.map(({ name }) => name);
  const [counts, overviews] = await Promise.all([read.countsOf(names), read.overviews(names, clock.now())]);
  const ramps = await Promise.all(rows.map((row) => rampOf(site.andon.store, row)));
  return rows.map((row, n) =>
    overviewView(site, row, {
      counts: counts.get(row.name) as JobCounts,
      ramp: ramps[n] ?? null,
      failedJobId: row.stopJobId,
      probeJobId: row.probeJobId,
      ...(overviews.get(row.name) as QueueOverview),
    }),
  );
}

/** The facts of a queue that depend on its jobs. */
interface Facts {
  readonly counts: JobCounts;
  readonly ramp: RampStatus | null;
  readonly failedJobId: string | null;
  readonly probeJobId: string | null;
  readonly heldLanes: number | null;
  readonly oldestWaitingAt: number | null;
  readonly donePerMinute: number | null;
}

function overviewView(site: Site, row: QueueRow, facts: Facts) {
  const { isPaused, pausedAt, pauseReason } = pauseOf(row);
  return {
    queue: row.name,
    state: row.state,
    mode: site.queues.get(row.name)?.mode ?? null,
    isSystem: site.queues.get(row.name)?.isSystem ?? false,
    isPaused,
    ...seedCounts(facts.counts),
    pausedAt,
    pauseReason,
    pausedBy: isPaused ? row.stopActor : null,
    stopId: row.stopId,
    failedJobId: facts.failedJobId,
    degradedAt: isoOrNull(row.degradedAt),
    probeJobId: facts.probeJobId,
    ramp: facts.ramp && { ...facts.ramp, waves: [...facts.ramp.waves] },
    heldLanes: facts.heldLanes,
    oldestWaitingAt: isoOrNull(facts.oldestWaitingAt),
    donePerMinute: facts.donePerMinute,
    bullmq: null as BullmqView | null,
  };
}

/** For a caller with a scope: only facts of jobs within the scope. */
async function factsInScope(site: Site, scope: ReturnType<typeof scopeOf>, row: QueueRow): Promise<Facts> {
  const { name, stopJobId, probeJobId } = row;
  const { read } = site.andon.store;
  const own = async (id: string | null) =>
    id === null ? null : ((await read.job({ id }, scope))?.id ?? null);
  const next = await read.searchJobs({ queue: name, state: "ready", ...scope }, 1, 1);
  return {
    counts: (await read.countsOfScope(name, scope)).counts,
    ramp: await rampOf(site.andon.store, row),
    failedJobId: await own(stopJobId),
    probeJobId: await own(probeJobId),
    heldLanes: null,
    oldestWaitingAt: next.items[0]?.createdAt ?? null,
    donePerMinute: null,
  };
}

/** A job in a list, with its name from the app. */
export function wireSummary(site: Site, job: Job, language: Language) {
  return { ...wireJob(job, language), about: site.queues.get(job.queue)?.describe(job).name ?? null };
}

function describeJob(site: Site, job: JobRow) {
  return site.queues.get(job.queue)?.describe(job) ?? plainDescription(job);
}

export function failedView(site: Site, job: JobRow, language: Language) {
  const { aggregateType, aggregateId, eventType, data } = describeJob(site, job);
  return {
    jobId: job.ticket,
    syncEventId: job.id,
    aggregateType,
    aggregateId,
    eventType,
    failedReason: job.error ? errorText(localError(job.error, language)) : "",
    attemptsMade: job.attempts,
    failedAt: iso(job.finishedAt ?? job.createdAt),
    data,
  };
}

/** The engine uses the name of an error without a code, such as `TypeError`. Such a name alone says too little. */
const IS_CODE = /^[A-Z0-9_-]+$/;

/** An attempt's error, as its code if it has one. The job's `failedReason` has the whole last error. */
function attemptError(attempt: Attempt, language: Language): string {
  const { code, outcome } = attempt;
  if (code !== null && IS_CODE.test(code)) return code;
  return errorText(localError(attempt, language)) || outcome.toUpperCase();
}

/**
 * The attempts of the last round; a retry by hand begins a new round. Attempts lost by dying workers are included, because
 * a job that failed as STALLED would otherwise have none. A lost attempt is not charged, so the next attempt has the same
 * number. Only the loss that exceeds the limit is charged, and only that loss has a code.
 */
function lastRound(history: readonly Attempt[], charged: number): Attempt[] {
  const shown = history.filter(({ outcome }) => outcome === "failed" || outcome === "lost");
  const paid = shown.filter(({ outcome, code }) => outcome === "failed" || code !== null);
  const before = paid.at(-1 - Math.max(charged, 1));
  return before ? shown.slice(shown.indexOf(before) + 1) : shown;
}

export async function failedDetailView(site: Site, job: JobRow, language: Language) {
  const { data, ...item } = failedView(site, job, language);
  const history = await site.andon.store.read.attempts(job.pos);
  return {
    ...item,
    payload: data,
    stackTrace: history.at(-1)?.stack ?? null,
    attempts: lastRound(history, job.attempts).map((attempt) => ({
      attemptNumber: attempt.number,
      error: attemptError(attempt, language),
      timestamp: iso(attempt.finishedAt),
    })),
    createdAt: iso(job.createdAt),
    ...(job.stage === null
      ? {}
      : { stage: job.stage, stages: (await site.andon.stages(job.id)).map(wireStage) }),
  };
}

export function syncEventView(site: Site, job: JobRow, language: Language) {
  const { aggregateType, aggregateId, eventType, data } = describeJob(site, job);
  return {
    syncEventId: job.id,
    jobId: job.ticket,
    queue: job.queue,
    aggregateType,
    aggregateId,
    eventType,
    status: SYNC_STATUS[job.state],
    attempts: job.attempts,
    lastError: job.error && errorText(localError(job.error, language)),
    payload: data,
    createdAt: iso(job.createdAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    resolvedBy: job.resolution?.actor ?? null,
    resolvedAt: isoOrNull(job.resolution?.at ?? null),
    resolutionNote: job.resolution?.reason ?? null,
  };
}
