export {
  type App,
  type AppQueue,
  type AppSite,
  type ByteRange,
  Bytes,
  type Call,
  defineApp,
  type JobWords,
  type Part,
  type Serve,
  type ServeAll,
  type SkipFindings,
  type UploadPart,
} from "./app.ts";
export { auditHash, GENESIS, HASHED } from "./audit/chain.ts";
export type { AuditVerdict, ChainProblem } from "./audit/verify.ts";
export { WHY_SENTENCES } from "./explain/sentences.ts";
export { failPoint } from "./fail-points.ts";
export { tenantView } from "./feed/tenant-view.ts";
export { newId } from "./ids.ts";
export { Andon, type AndonOptions, type QueueOptions } from "./library/andon.ts";
export type { JobOptions } from "./library/job-options.ts";
export type { PageOptions } from "./library/paging.ts";
export type { Added, Queue } from "./library/queue.ts";
export type { Operation } from "./library/shown-operation.ts";
export type { Plan } from "./library/shown-plan.ts";
export type { WatchOptions } from "./library/watch.ts";
export { type WorkerHandle, type WorkOptions, workOptionsSchema } from "./library/work.ts";
export { isAllowed, JOB_TRANSITIONS, type JobEvent } from "./lifecycle/job-transitions.ts";
export { DestinationDown, Snooze, Unretryable } from "./lifecycle/thrown.ts";
export type { Applied } from "./operations/apply-plan.ts";
export type { Started } from "./operations/operations.ts";
export type { Deliverer, Message, NewMessage, Outbox, SendOptions } from "./outbox/outbox.ts";
export { type Clock, inWholeMilliseconds, systemClock } from "./ports/clock.ts";
export { type Random, systemRandom } from "./ports/random.ts";
export type * from "./ports/store.ts";
export type { Findings, HookName, QueueDefinition, QueueHooks } from "./queue-definition.ts";
export type { PutSchedule } from "./schedules/put.ts";
export type { Schedules } from "./schedules/schedules.ts";
export type { PlanState, PlanWish } from "./verbs/plan.ts";
export {
  type AbortCause,
  Commit,
  commit,
  type Handler,
  type HandlerContext,
  JobAborted,
} from "./worker/handler.ts";
export type { IsolatedContext, IsolatedHandler } from "./worker/isolation/isolated-handler.ts";
export { type Waiting, writeTogether } from "./write-together.ts";
