import type { StoreReader } from "@andon/engine";
import { readJob, readRunning, runningOf } from "../steps/job-steps.ts";
import type { StepContext } from "../steps/kit.ts";
import { listQueues, readQueue } from "../steps/queue-steps.ts";
import { nextScheduleAt, readSchedule, schedules } from "../steps/schedule-steps.ts";
import * as countReader from "./count-reader.ts";
import * as feedReader from "./feed-reader.ts";
import * as jobReader from "./job-reader.ts";
import * as laneReader from "./lane-reader.ts";

/** Everything that only looks, over a connection outside of any transaction. */
export function storeReader(at: StepContext): StoreReader {
  return {
    job: (reference) => readJob(at, reference),
    attempts: (pos) => jobReader.attempts(at, pos),
    running: (pos) => readRunning(at, pos),
    runningOf: (filter) => runningOf(at, filter),
    timer: (pos) => jobReader.timer(at, pos),
    lanesOf: (pos) => laneReader.lanesOf(at, pos),
    queue: (name) => readQueue(at, name),
    queues: () => listQueues(at),
    counts: (queue) => countReader.counts(at, queue),
    jobs: (queue, state, page, limit) => jobReader.jobs(at, queue, state, page, limit),
    lanes: (filter, page, limit) => laneReader.lanes(at, filter, page, limit),
    aheadInLine: (job, most) => jobReader.aheadInLine(at, job, most),
    lineBlocker: (queue) => jobReader.lineBlocker(at, queue),
    runningOfTenant: (queue, tenant) => jobReader.runningOfTenant(at, queue, tenant),
    startedSince: (queue, since, most) => jobReader.startedSince(at, queue, since, most),
    workers: () => feedReader.workers(at),
    events: (after, most, queue) => feedReader.events(at, after, most, queue),
    lastEventId: () => feedReader.lastEventId(at),
    audit: (filter, page, limit) => feedReader.audit(at, filter, page, limit),
    stops: (queue, page, limit) => feedReader.stops(at, queue, page, limit),
    stop: (id) => feedReader.stop(at, id),
    stopEvents: (queue, when) => feedReader.stopEvents(at, queue, when),
    claimsAfter: (queue, turn, most) => feedReader.claimsAfter(at, queue, turn, most),
    nextDue: () => jobReader.nextDue(at),
    dueQueues: (now) => jobReader.dueQueues(at, now),
    schedule: (name) => readSchedule(at, name),
    schedules: (page, limit) => schedules(at, page, limit),
    nextScheduleAt: () => nextScheduleAt(at),
  };
}
