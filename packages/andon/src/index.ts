import { AndonError, guessFor } from "@andon/contract";
import { Andon, type AndonOptions } from "@andon/engine";
import { openStore, type StoreOptions, storeOptions } from "@andon/store";

export {
  AndonError,
  type Attempt,
  type AuditRow,
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
  type JobState,
  type Lane,
  type LaterEventType,
  type MissedPolicy,
  type Page,
  type QueueRulesInput,
  type QueueStatus,
  type Schedule,
  type ScheduleSpec,
  type StopCertificate,
  type Why,
} from "@andon/contract";
export {
  type Added,
  type Andon,
  type Applied,
  type AuditFilter,
  type AuditVerdict,
  type Clock,
  commit,
  type Deliverer,
  DestinationDown,
  type FingerprintGroup,
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
  type Plan,
  type PlanWish,
  type PutSchedule,
  type Queue,
  type QueueHooks,
  type QueueOptions,
  type QueueOverview,
  type Schedules,
  type SendOptions,
  Snooze,
  type Started,
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
  language: true,
  keep: true,
} as const satisfies Record<keyof AndonOptions, true>;
const KNOWN = [...Object.keys(storeOptions.shape), ...Object.keys(OWN)];

/** Opens a store and everything on it. `sqlite:./andon.db` needs no server; `postgres://…` is for many processes. */
export async function open(url: string, options: OpenOptions = {}): Promise<Andon> {
  const unknown = Object.keys(options).find((option) => !KNOWN.includes(option));
  if (unknown !== undefined)
    throw new AndonError("UNKNOWN_OPTION", {
      where: { en: "the options of `open`", ko: "`open`의 옵션" },
      option: unknown,
      hint: guessFor(unknown, KNOWN),
    });
  const { onError, outbox, around, gather, language, keep, ...ofStore } = options;
  return new Andon(await openStore(url, ofStore), { onError, outbox, around, gather, language, keep });
}
