export type { FailedDetail, FailedItem, JobEvent } from "./failed-jobs.ts";
export { type GuardableWorker, type GuardOptions, guard } from "./guard.ts";
export {
  type OperableQueue,
  type OperationOptions,
  operate,
  type QueueOperations,
  type QueueStatus,
} from "./operations.ts";
export { type ConnectionOptions, QueueConnection } from "./queue-connection.ts";
export type { Stop } from "./stop.ts";
