export { WHY_SENTENCES } from "./explain/sentences.ts";
export { failPoint } from "./fail-points.ts";
export { newId } from "./ids.ts";
export { Andon, type AndonOptions, type QueueOptions } from "./library/andon.ts";
export type { JobOptions } from "./library/job-options.ts";
export type { PageOptions } from "./library/paging.ts";
export type { Added, Queue } from "./library/queue.ts";
export type { WatchOptions } from "./library/watch.ts";
export { type WorkerHandle, type WorkOptions, workOptionsSchema } from "./library/work.ts";
export { DestinationDown, Snooze, Unretryable } from "./lifecycle/failure.ts";
export { isAllowed, JOB_TRANSITIONS, type JobEvent } from "./lifecycle/job-transitions.ts";
export type { Deliverer, Message, NewMessage, Outbox, SendOptions } from "./outbox/outbox.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export { type Random, systemRandom } from "./ports/random.ts";
export type * from "./ports/store.ts";
export type { HookName, QueueDefinition, QueueHooks } from "./queue-definition.ts";
export type { PutSchedule } from "./schedules/put.ts";
export type { Schedules } from "./schedules/schedules.ts";
export {
  type AbortCause,
  Commit,
  commit,
  type Handler,
  type HandlerContext,
  JobAborted,
} from "./worker/handler.ts";
export type { IsolatedContext, IsolatedHandler } from "./worker/isolation/isolated-handler.ts";
