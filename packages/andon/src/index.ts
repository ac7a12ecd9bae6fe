import { AndonError, guessFor } from "@andon/contract";
import { Andon, type AndonOptions } from "@andon/engine";
import { openStore, type StoreOptions, storeOptions } from "@andon/store";

export {
  type AbortReceipt,
  type AbortWish,
  AndonError,
  type Arrival,
  type Attempt,
  type AuditRow,
  type BulkState,
  type Decision,
  type Duration,
  type ErrorCode,
  type EventData,
  type EventType,
  type FailureFacts,
  type FailurePolicy,
  type Fault,
  type FeedEvent,
  isAndonError,
  type Job,
  type JobCounts,
  type JobStage,
  type JobState,
  type Lane,
  type LaterEventType,
  type MissedPolicy,
  type Page,
  type QueueRulesInput,
  type QueueStatus,
  type Schedule,
  type ScheduleSpec,
  type StageStatus,
  type StopCertificate,
  type Throttle,
  type Why,
} from "@andon/contract";
export {
  type Aborted,
  type AbortFlag,
  type Added,
  type Andon,
  type Applied,
  type Arrived,
  type AuditFilter,
  type AuditNoun,
  type AuditVerdict,
  type BulkOptions,
  type BulkResult,
  type BulkSettings,
  bulk,
  type Clock,
  commit,
  type Deliverer,
  DestinationDown,
  type FingerprintGroup,
  type FlagWish,
  type Handler,
  type HandlerContext,
  type IsolatedContext,
  type IsolatedHandler,
  JobAborted,
  type JobFilter,
  type JobOptions,
  type Message,
  type NewMessage,
  type Operation,
  type OperationFilter,
  type Outbox,
  Park,
  type ParkOptions,
  type Plan,
  type PlanWish,
  type PutSchedule,
  type Queue,
  type QueueHooks,
  type QueueOptions,
  type QueueOverview,
  type ResumedJob,
  type Schedules,
  type SendOptions,
  Snooze,
  type StageHandler,
  type StageHandlers,
  type Started,
  type ThrottleInput,
  type Tx,
  Unretryable,
  type WorkerHandle,
  type WorkOptions,
} from "@andon/engine";

export type OpenOptions = AndonOptions & StoreOptions;

const OWN = {
  onError: true,
  outbox: true,
  around: true,
  gather: true,
  keep: true,
  decisions: true,
} as const satisfies Record<keyof AndonOptions, true>;
const KNOWN = [...Object.keys(storeOptions.shape), ...Object.keys(OWN)];

/**
 * Opens a store, brings its schema up to date, and returns the library on it. `sqlite:./andon.db` is for the processes of
 * one machine and needs no server; `postgres://…` is for many machines. `sqlite::memory:` is for tests.
 */
export async function open(url: string, options: OpenOptions = {}): Promise<Andon> {
  const unknown = Object.keys(options).find((option) => !KNOWN.includes(option));
  if (unknown !== undefined)
    throw new AndonError("UNKNOWN_OPTION", {
      where: { en: "the options of `open`", ko: "`open`의 옵션" },
      option: unknown,
      hint: guessFor(unknown, KNOWN),
    });
  const { onError, outbox, around, gather, keep, decisions, ...ofStore } = options;
  return new Andon(await openStore(url, ofStore), { onError, outbox, around, gather, keep, decisions });
}
