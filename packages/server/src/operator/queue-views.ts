import { errorText, type JobCounts, type Principal } from "@andon/contract";
import type { JobRow, QueueRow } from "@andon/engine";
import type { Site } from "../site.ts";
import { knownQueue } from "./find.ts";
import { plainWords, SYNC_STATUS } from "./job-words.ts";
import { tenantOf } from "./scope.ts";
import { iso, isoOrNull } from "./wire.ts";

/** The five counts of the seed. What waits for a time is `delayed`, everything else that waits is `waiting`. */
function seedCounts(counts: JobCounts) {
  return {
    waiting: counts.ready + counts.blocked + counts.parked,
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
  const { read, clock } = site.andon.store;
  const facts = await read.overview(row.name, clock.now());
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
    failedJobId: row.stopJobId,
    degradedAt: isoOrNull(row.degradedAt),
    probeJobId: row.probeJobId,
    heldLanes: facts.heldLanes,
    oldestWaitingAt: isoOrNull(facts.oldestWaitingAt),
    donePerMinute: facts.donePerMinute,
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

/** The attempts of the round that failed: a retry by hand began a new one. */
export async function failedDetailView(site: Site, job: JobRow) {
  const { data, ...item } = failedView(site, job);
  const history = await site.andon.store.read.attempts(job.pos);
  const failed = history.filter((attempt) => attempt.outcome === "failed");
  return {
    ...item,
    payload: data,
    stackTrace: history.at(-1)?.stack ?? null,
    attempts: failed.slice(-Math.max(job.attempts, 1)).map((attempt) => ({
      attemptNumber: attempt.number,
      error: errorText(attempt),
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
