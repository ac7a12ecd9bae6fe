import {
  type Attempt,
  errorText,
  iso,
  isoOrNull,
  type JobCounts,
  type Principal,
  waitingOf,
} from "@andon/contract";
import type { JobRow, QueueRow } from "@andon/engine";
import type { Site } from "../site.ts";
import { knownQueue } from "./find.ts";
import { plainWords, SYNC_STATUS } from "./job-words.ts";
import { tenantOf } from "./scope.ts";

/** The five counts of the seed. What waits for a time is `delayed`, everything else that waits is `waiting`. */
function seedCounts(counts: JobCounts) {
  return {
    waiting: waitingOf(counts),
    active: counts.running,
    failed: counts.failed,
    completed: counts.done,
    delayed: counts.scheduled,
  };
}

async function countsFor(site: Site, principal: Principal, queue: string): Promise<JobCounts> {
  const { read } = site.andon.store;
  const tenant = tenantOf(principal);
  return tenant === undefined ? read.counts(queue) : (await read.countsOfTenant(queue, tenant)).counts;
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

export async function overviewView(site: Site, principal: Principal, row: QueueRow) {
  const { isPaused, pausedAt, pauseReason } = pauseOf(row);
  const facts = await factsFor(site, principal, row);
  return {
    queue: row.name,
    state: row.state,
    mode: site.queues.get(row.name)?.mode ?? null,
    isPaused,
    ...seedCounts(await countsFor(site, principal, row.name)),
    pausedAt,
    pauseReason,
    pausedBy: isPaused ? row.stopActor : null,
    stopId: row.stopId,
    failedJobId: facts.failedJobId,
    degradedAt: isoOrNull(row.degradedAt),
    probeJobId: facts.probeJobId,
    heldLanes: facts.heldLanes,
    oldestWaitingAt: isoOrNull(facts.oldestWaitingAt),
    donePerMinute: facts.donePerMinute,
  };
}

/** What a queue's jobs say about it, and to a tenant only what its own say. */
async function factsFor(site: Site, principal: Principal, { name, stopJobId, probeJobId }: QueueRow) {
  const { read, clock } = site.andon.store;
  const tenant = tenantOf(principal);
  if (tenant === undefined) {
    return { failedJobId: stopJobId, probeJobId, ...(await read.overview(name, clock.now())) };
  }
  const own = async (id: string | null) =>
    id === null ? null : ((await read.job({ id }, tenant))?.id ?? null);
  const next = await read.searchJobs({ queue: name, state: "ready", tenant }, 1, 1);
  return {
    failedJobId: await own(stopJobId),
    probeJobId: await own(probeJobId),
    heldLanes: null,
    oldestWaitingAt: next.items[0]?.createdAt ?? null,
    donePerMinute: null,
  };
}

function wordsOf(site: Site, job: JobRow) {
  return site.queues.get(job.queue)?.words(job) ?? plainWords(job);
}

export function failedView(site: Site, job: JobRow) {
  const { aggregateType, aggregateId, eventType, data } = wordsOf(site, job);
  return {
    jobId: job.ticket,
    syncEventId: job.id,
    aggregateType,
    aggregateId,
    eventType,
    failedReason: errorText(job.error ?? { code: null, message: null }),
    attemptsMade: job.attempts,
    failedAt: iso(job.finishedAt ?? job.createdAt),
    data,
  };
}

/** The engine calls an error without a code by its name, such as `TypeError`: that says too little alone. */
const IS_CODE = /^[A-Z0-9_-]+$/;

/** An attempt's error in one word where it has a code: the whole of the last one is the job's `failedReason`. */
function attemptError({ code, message, outcome }: Attempt): string {
  if (code !== null && IS_CODE.test(code)) return code;
  return errorText({ code, message }) || outcome.toUpperCase();
}

/**
 * The attempts of the round that failed: a retry by hand began a new one. Those that dying workers lost are shown too,
 * or a job that failed as STALLED would have none. A loss is not charged, so that the next attempt has the same number;
 * only the loss that was one too many is, and it alone has a code.
 */
function lastRound(history: readonly Attempt[], charged: number): Attempt[] {
  const shown = history.filter(({ outcome }) => outcome === "failed" || outcome === "lost");
  const paid = shown.filter(({ outcome, code }) => outcome === "failed" || code !== null);
  const before = paid.at(-1 - Math.max(charged, 1));
  return before ? shown.slice(shown.indexOf(before) + 1) : shown;
}

export async function failedDetailView(site: Site, job: JobRow) {
  const { data, ...item } = failedView(site, job);
  const history = await site.andon.store.read.attempts(job.pos);
  return {
    ...item,
    payload: data,
    stackTrace: history.at(-1)?.stack ?? null,
    attempts: lastRound(history, job.attempts).map((attempt) => ({
      attemptNumber: attempt.number,
      error: attemptError(attempt),
      timestamp: iso(attempt.finishedAt),
    })),
    createdAt: iso(job.createdAt),
  };
}

export function syncEventView(site: Site, job: JobRow) {
  const { aggregateType, aggregateId, eventType, data } = wordsOf(site, job);
  return {
    syncEventId: job.id,
    jobId: job.ticket,
    queue: job.queue,
    aggregateType,
    aggregateId,
    eventType,
    status: SYNC_STATUS[job.state],
    attempts: job.attempts,
    lastError: job.error && errorText(job.error),
    payload: data,
    createdAt: iso(job.createdAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    resolvedBy: job.resolution?.actor ?? null,
    resolvedAt: isoOrNull(job.resolution?.at ?? null),
    resolutionNote: job.resolution?.reason ?? null,
  };
}
