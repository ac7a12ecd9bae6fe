import { Andon, type AndonOptions } from "@andon/engine";
import { openStore, type StoreOptions } from "@andon/store";

export {
  AndonError,
  type Attempt,
  type AuditRow,
  type Decision,
  type Duration,
  type ErrorCode,
  type FailureFacts,
  type FailurePolicy,
  type Fault,
  type FeedEvent,
  isAndonError,
  type Job,
  type JobCounts,
  type JobState,
  type Lane,
  type Page,
  type QueueRulesInput,
  type QueueStatus,
  type StopCertificate,
  type Why,
} from "@andon/contract";
export {
  type Added,
  type Andon,
  commit,
  DestinationDown,
  type Handler,
  type HandlerContext,
  JobAborted,
  type JobOptions,
  type Queue,
  type QueueHooks,
  type QueueOptions,
  Snooze,
  type Tx,
  Unretryable,
  type WorkerHandle,
  type WorkOptions,
} from "@andon/engine";

export type OpenOptions = AndonOptions & StoreOptions;

/** Opens a store and everything on it. `sqlite:./andon.db` needs no server; `postgres://…` is for many processes. */
export async function open(url: string, options: OpenOptions = {}): Promise<Andon> {
  const { onError, ...storeOptions } = options;
  return new Andon(await openStore(url, storeOptions), { onError });
}
