export { auditHash, GENESIS, HASHED } from "./audit/chain.ts";
export type { AuditVerdict, ChainProblem, VerifyOptions } from "./audit/verify.ts";
export type { AbortFlag, FlaggedJob, FlagWish } from "./bulk/abort-flags.ts";
export {
  type BulkOptions,
  type BulkResult,
  type BulkSettings,
  bulk,
  bulkSettingsSchema,
  type ThrottleInput,
  throttleSchema,
} from "./bulk/bulk.ts";
export { bulkStateOf } from "./bulk/bulk-state.ts";
export { causesOf, type FailureCause } from "./explain/causes.ts";
export { WHY_SENTENCES } from "./explain/sentences.ts";
export { failPoint } from "./fail-points.ts";
export { viewInScope } from "./feed/view-in-scope.ts";
export { countsUpTo, histogramIn, mergedText } from "./history/histogram.ts";
export { type HistoryQuestion, historyOf, MOST_POINTS } from "./history/history-of.ts";
export { RECENT_MINUTES, type RecentEnds, recentEnds } from "./history/recent-ends.ts";
export { HOUR_MS, MINUTE_MS, stepOf } from "./history/steps.ts";
export { newId } from "./ids.ts";
export {
  DEFAULT_TENANT,
  keysOfLanes,
  type LaneId,
  laneId,
  laneIds,
  laneOf,
  lanesOf,
  lanesOfTenant,
  TENANT_MARK,
} from "./lanes/lane-id.ts";
export { Andon } from "./library/andon.ts";
export type { AndonOptions, QueueOptions } from "./library/andon-options.ts";
export type { LaneOptions } from "./library/decision.ts";
export type { JobOptions } from "./library/job-options.ts";
export type { PageOptions } from "./library/paging.ts";
export type { Added, Queue } from "./library/queue.ts";
export type {
  EarlierQuestion,
  HeldLane,
  LaneKeyRange,
  LaneName,
  Reading,
  Within,
} from "./library/reading.ts";
export type { FailureReading, FailuresWithoutLane } from "./library/reading-failures.ts";
export type { Operation } from "./library/shown-operation.ts";
export type { Plan } from "./library/shown-plan.ts";
export { rampOf } from "./library/status.ts";
export { type WatchOptions, watchReads } from "./library/watch.ts";
export { type WorkerHandle, type WorkOptions, workOptionsSchema } from "./library/work.ts";
export { type WorkerStatus, workerStatuses } from "./library/worker-status.ts";
export { isAllowed, JOB_TRANSITIONS, type JobEvent } from "./lifecycle/job-transitions.ts";
export { LATEST_TIME } from "./lifecycle/latest-time.ts";
export { DestinationDown, Park, type ParkOptions, Snooze, Unretryable } from "./lifecycle/thrown.ts";
export type { Applied } from "./operations/apply-plan.ts";
export type { Started } from "./operations/operations.ts";
export type { Deliverer, Message, NewMessage, Outbox, SendOptions } from "./outbox/outbox.ts";
export { type Clock, inWholeMilliseconds, systemClock } from "./ports/clock.ts";
export { type Random, systemRandom } from "./ports/random.ts";
export type * from "./ports/store.ts";
export type { DecideEach, Findings, HookName, QueueDefinition, QueueHooks } from "./queue-definition.ts";
export { rehearse } from "./rehearsal/rehearse.ts";
export type { PutSchedule } from "./schedules/put.ts";
export type { Schedules } from "./schedules/schedules.ts";
export { isInScope, isNarrow } from "./scope.ts";
export type { Aborted, AbortOptions, AuditNoun } from "./verbs/abort.ts";
export type { Arrived } from "./verbs/arrive.ts";
export type { Cancelled } from "./verbs/cancel.ts";
export type { DeleteOptions } from "./verbs/delete-job.ts";
export type { PlanState, PlanWish } from "./verbs/plan.ts";
export type { ResumedJob } from "./verbs/resume-job.ts";
export type { ThrottleOptions } from "./verbs/throttle-job.ts";
export {
  type AbortCause,
  Commit,
  commit,
  type Handler,
  type HandlerContext,
  JobAborted,
  type StageHandler,
  type StageHandlers,
} from "./worker/handler.ts";
export type { IsolatedContext, IsolatedHandler } from "./worker/isolation/isolated-handler.ts";
export { type Waiting, writeTogether } from "./write-together.ts";
