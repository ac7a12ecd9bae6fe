import type { QueueOverview, StoreReader } from "@andon/engine";
import { feedBeginsAt, oldestHistory } from "../steps/history-steps.ts";
import { readJob, readJobs, readRunning, runningOf } from "../steps/job-steps.ts";
import type { StepContext } from "../steps/kit.ts";
import { listStep, openOperations, operations, readOperation } from "../steps/operation-steps.ts";
import { readPlan } from "../steps/plan-steps.ts";
import { listQueues, readQueue } from "../steps/queue-steps.ts";
import { nextScheduleAt, readSchedule, schedules } from "../steps/schedule-steps.ts";
import * as auditReader from "./audit-reader.ts";
import * as countReader from "./count-reader.ts";
import * as feedReader from "./feed-reader.ts";
import { fingerprints } from "./fingerprint-reader.ts";
import { endedPositions, laneKeysOf, plannedJobs, waitingPositions } from "./frozen-lists.ts";
import * as jobReader from "./job-reader.ts";
import * as laneReader from "./lane-reader.ts";
import * as lookReader from "./look-reader.ts";
import { overviews } from "./overview-reader.ts";
import { scanJobs } from "./scan.ts";
import { searchJobs } from "./search.ts";
import { countJobs } from "./search-counts.ts";

/** Everything that only looks, over a connection outside of any transaction. */
export function storeReader(at: StepContext): StoreReader {
  return {
    job: (reference, tenant) => readJob(at, reference, tenant),
    attempts: (pos) => jobReader.attempts(at, pos),
    running: (pos) => readRunning(at, pos),
    runningOf: (filter) => runningOf(at, filter),
    timer: (pos) => jobReader.timer(at, pos),
    lanesOf: (pos) => laneReader.lanesOf(at, pos),
    queue: (name) => readQueue(at, name),
    queues: () => listQueues(at),
    counts: (queue) => countReader.counts(at, queue),
    countsOf: (queues) => countReader.countsOf(at, queues),
    jobs: (queue, state, page, limit) => jobReader.jobs(at, queue, state, page, limit),
    searchJobs: (filter, page, limit) => searchJobs(at, filter, page, limit),
    countJobs: (filter) => countJobs(at, filter),
    countsOfTenant: (queue, tenant) => countJobs(at, { queue, tenant }),
    scanJobs: (queue, states, filter) => scanJobs(at, queue, states, filter),
    overview: async (queue, now) => (await overviews(at, [queue], now)).get(queue) as QueueOverview,
    overviews: (queues, now) => overviews(at, queues, now),
    fingerprints: (queue, filter, page, limit) => fingerprints(at, queue, filter, page, limit),
    plan: (id, tenant) => readPlan(at, id, tenant ?? null),
    operation: (id, tenant) => readOperation(at, id, tenant ?? null),
    operations: (filter, page, limit) => operations(at, filter, page, limit),
    openOperations: () => openOperations(at),
    listStep: (list, number) => listStep(at, list, number),
    endedPositions: (queue, state, upTo) => endedPositions(at, queue, state, upTo),
    waitingPositions: (queue, key) => waitingPositions(at, queue, key),
    plannedJobs: (positions) => plannedJobs(at, positions),
    laneKeysOf: (positions) => laneKeysOf(at, positions),
    jobsById: (ids, tenant) => jobReader.jobsById(at, ids, tenant),
    readJobs: (positions) => readJobs(at, positions),
    lanesHeldByFailure: (queue, keys) => laneReader.lanesHeldByFailure(at, queue, keys),
    lanes: (filter, page, limit) => laneReader.lanes(at, filter, page, limit),
    aheadInLine: (job, most) => jobReader.aheadInLine(at, job, most),
    lineBlocker: (queue) => jobReader.lineBlocker(at, queue),
    runningOfTenant: (queue, tenant) => jobReader.runningOfTenant(at, queue, tenant),
    startedSince: (queue, since, most) => jobReader.startedSince(at, queue, since, most),
    workers: () => feedReader.workers(at),
    oldestHistory: () => oldestHistory(at),
    feedBeginsAt: () => feedBeginsAt(at),
    holders: () => lookReader.holders(at),
    connectedWorkers: () => lookReader.connectedWorkers(at),
    oldestOf: (queues, now) => lookReader.oldestOf(at, queues, now),
    events: (after, most, filter) => feedReader.events(at, after, most, filter),
    jobEvents: (jobId, most) => feedReader.jobEvents(at, jobId, most),
    lastEventId: () => feedReader.lastEventId(at),
    audit: (filter, page, limit) => auditReader.audit(at, filter, page, limit),
    auditChain: (after, most) => auditReader.auditChain(at, after, most),
    auditHead: () => auditReader.auditHead(at),
    stops: (queue, page, limit) => feedReader.stops(at, queue, page, limit),
    stop: (id) => feedReader.stop(at, id),
    stopEvents: (queue, when) => feedReader.stopEvents(at, queue, when),
    claimsAfter: (queue, turn, most) => feedReader.claimsAfter(at, queue, turn, most),
    nextDue: () => jobReader.nextDue(at),
    dueQueues: (now) => jobReader.dueQueues(at, now),
    schedule: (name) => readSchedule(at, name),
    schedules: (page, limit) => schedules(at, page, limit),
    nextScheduleAt: (after) => nextScheduleAt(at, after),
  };
}
