import type { QueueOverview, StoreReader } from "@andon/engine";
import { readBulks } from "../steps/bulk-steps.ts";
import * as decisionSteps from "../steps/decision-steps.ts";
import { feedBeginsAt, oldestHistory } from "../steps/history-steps.ts";
import { readJob, readJobs } from "../steps/job-steps.ts";
import { lostWorkers } from "../steps/lost-worker-steps.ts";
import { listStep, openOperations, operations, readOperation } from "../steps/operation-steps.ts";
import { readPlan } from "../steps/plan-steps.ts";
import { listQueues, readQueue } from "../steps/queue-steps.ts";
import { readRunning, runningOf } from "../steps/running-steps.ts";
import { nextScheduleAt, readSchedule, schedules } from "../steps/schedule-steps.ts";
import { endedStages } from "../steps/stage-steps.ts";
import type { StepContext } from "../steps/statement-registry.ts";
import * as auditReader from "./audit-reader.ts";
import * as countReader from "./count-reader.ts";
import { failureReader } from "./failure-reader.ts";
import * as feedReader from "./feed-reader.ts";
import { fingerprints } from "./fingerprint-reader.ts";
import * as lookReader from "./fleet-state-reader.ts";
import { endedPositions, frontOfLane, laneIdsOf, plannedJobs, waitingPositions } from "./frozen-lists.ts";
import * as historyReader from "./history-reader.ts";
import * as jobReader from "./job-reader.ts";
import * as laneReader from "./lane-reader.ts";
import { longestRunning } from "./longest-running.ts";
import { overviews } from "./overview-reader.ts";
import { readingRows } from "./reading-rows.ts";
import { scanJobs } from "./scan.ts";
import { searchJobs } from "./search.ts";
import { countJobs } from "./search-counts.ts";
import { searchFurther } from "./search-further.ts";

/** All reads, over a connection outside any transaction. `long` is for reads of up to ten thousand rows. */
export function storeReader(at: StepContext, long: StepContext): StoreReader {
  return {
    reading: readingRows(at, long),
    job: (reference, scope) => readJob(at, reference, scope),
    attempts: (pos) => jobReader.attempts(at, pos),
    running: (pos) => readRunning(at, pos),
    runningOf: (filter) => runningOf(at, filter),
    longestRunning: (filter, page, limit) => longestRunning(at, filter, page, limit),
    bulks: (positions) => readBulks(at, positions),
    timer: (pos) => jobReader.timer(at, pos),
    lanesOf: (pos) => laneReader.lanesOf(at, pos),
    queue: (name) => readQueue(at, name),
    queues: () => listQueues(at),
    counts: (queue) => countReader.counts(at, queue),
    countsOf: (queues) => countReader.countsOf(at, queues),
    jobs: (queue, state, page, limit) => jobReader.jobs(long, queue, state, page, limit),
    searchJobs: (filter, page, limit, isReversed) => searchJobs(long, filter, page, limit, isReversed),
    searchFurther: (filter, before, limit) => searchFurther(long, filter, before, limit),
    countJobs: (filter) => countJobs(long, filter),
    countsOfScope: (queue, { tenant, organization }) =>
      countJobs(long, { queue, tenant: tenant ?? undefined, organization: organization ?? undefined }),
    scanJobs: (queue, states, filter) => scanJobs(long, queue, states, filter),
    overview: async (queue, now) => (await overviews(at, [queue], now)).get(queue) as QueueOverview,
    overviews: (queues, now) => overviews(at, queues, now),
    fingerprints: (queue, scope, page, limit) => fingerprints(long, queue, scope, page, limit),
    plan: (id, scope) => readPlan(at, id, scope),
    operation: (id, scope) => readOperation(at, id, scope),
    operations: (filter, page, limit) => operations(long, filter, page, limit),
    openOperations: () => openOperations(at),
    listStep: (list, number) => listStep(at, list, number),
    endedPositions: (queue, state, upTo) => endedPositions(at, queue, state, upTo),
    frontOfLane: (queue, lane, most) => frontOfLane(at, queue, lane, most),
    waitingPositions: (queue, lane) => waitingPositions(at, queue, lane),
    plannedJobs: (positions) => plannedJobs(at, positions),
    laneIdsOf: (positions) => laneIdsOf(at, positions),
    jobsById: (ids, scope) => jobReader.jobsById(at, ids, scope),
    readJobs: (positions) => readJobs(at, positions),
    lanesHeldByFailure: (queue, lanes) => laneReader.lanesHeldByFailure(at, queue, lanes),
    lane: (queue, id) => laneReader.oneLane(at, queue, id),
    lanes: (filter, page, limit) => laneReader.lanes(long, filter, page, limit),
    aheadInLine: (job, most) => jobReader.aheadInLine(at, job, most),
    lineBlocker: (queue) => jobReader.lineBlocker(at, queue),
    runningOfTenant: (queue, tenant) => jobReader.runningOfTenant(at, queue, tenant),
    endedStages: (pos) => endedStages(at, pos),
    inStage: (job, most) => jobReader.inStage(at, job, most),
    startedSince: (queue, since, most) => jobReader.startedSince(at, queue, since, most),
    workers: () => feedReader.workers(at),
    lostWorkers: (most) => lostWorkers(at, most),
    decision: (id) => decisionSteps.readDecision(at, id),
    pendingDecision: (jobId) => decisionSteps.pendingDecision(at, jobId),
    pendingDecisions: (jobIds) => decisionSteps.pendingDecisions(at, jobIds),
    dueDecisions: (now, queues, most) => decisionSteps.dueDecisions(at, now, queues, most),
    nextDecisionAt: (queues) => decisionSteps.nextDecisionAt(at, queues),
    history: (queue, wish) => historyReader.history(long, queue, wish),
    endedByMinute: (queues, from) => historyReader.endedByMinute(long, queues, from),
    historyTotals: (queues) => historyReader.historyTotals(at, queues),
    oldestHistory: () => oldestHistory(at),
    feedBeginsAt: () => feedBeginsAt(at),
    holders: () => lookReader.holders(at),
    connectedWorkers: () => lookReader.connectedWorkers(at),
    oldestOf: (queues, now) => lookReader.oldestOf(at, queues, now),
    events: (after, most, filter) => feedReader.events(at, after, most, filter),
    jobEvents: (jobId, most) => feedReader.jobEvents(at, jobId, most),
    lastEventId: () => feedReader.lastEventId(at),
    audit: (filter, page, limit) => auditReader.audit(long, filter, page, limit),
    auditChain: (after, most) => auditReader.auditChain(long, after, most),
    auditHead: () => auditReader.auditHead(at),
    auditChecked: () => auditReader.auditChecked(at),
    stops: (queue, page, limit) => feedReader.stops(long, queue, page, limit),
    stop: (id) => feedReader.stop(at, id),
    failures: failureReader(at),
    stopEvents: (queue, when) => feedReader.stopEvents(at, queue, when),
    claimsAfter: (queue, entry, most) => feedReader.claimsAfter(at, queue, entry, most),
    nextDue: () => jobReader.nextDue(at),
    dueQueues: (now) => jobReader.dueQueues(at, now),
    schedule: (name) => readSchedule(at, name),
    schedules: (page, limit) => schedules(at, page, limit),
    nextScheduleAt: (after) => nextScheduleAt(at, after),
  };
}
