import type { Language } from "./errors.ts";
import { filledIn } from "./fill-in.ts";

/** Messages of the operator API about what it did, as `filledIn` reads them. */
export const MESSAGES = {
  QUEUE_RESUMED: { ko: "큐가 재개되었습니다.", en: "The queue goes on." },
  QUEUE_WAS_RUNNING: {
    ko: "큐가 이미 실행 중입니다. 변경된 것이 없습니다.",
    en: "The queue is running already. Nothing changed.",
  },
  QUEUE_PAUSED: { ko: "큐가 일시정지되었습니다.", en: "The queue is paused." },
  QUEUE_WAS_PAUSED: {
    ko: "큐가 이미 일시정지 상태입니다. 정지 시각과 사유는 그대로입니다.",
    en: "The queue is paused already. Since when and why stay as they are.",
  },
  JOB_RETRIED: { ko: "작업이 재시도 큐에 추가되었습니다.", en: "The job is queued again." },
  JOBS_RETRIED: {
    ko: "{count}개의 실패 작업이 재시도 큐에 추가되었습니다.",
    en: "{count} failed {count:job is|jobs are} queued again.",
  },
  DECISION_HELD_BACK: {
    ko: "{appliesAt}에 적용됩니다. 그 전에는 되돌릴 수 있습니다.",
    en: "It will be applied at {appliesAt}. Until then it can be undone.",
  },
  DECISION_UNDONE: {
    ko: "결정을 되돌렸습니다. 작업은 그대로입니다.",
    en: "The decision is undone. The job stays as it was.",
  },
  JOB_SKIPPED: {
    ko: "작업이 수동 처리 완료로 표시되었습니다.",
    en: "The job is skipped.",
  },
  ALL_SKIPPED_AND_RESUMED: {
    ko: "{count}개의 실패 작업이 건너뛰어지고 큐가 재개되었습니다.",
    en: "{count} failed {count:job was|jobs were} skipped and the queue goes on.",
  },
  ALL_SKIPPED_WHILE_RUNNING: {
    ko: "{count}개의 실패 작업이 건너뛰어졌습니다. 큐는 정지 상태가 아니었습니다.",
    en: "{count} failed {count:job was|jobs were} skipped. The queue was not stopped.",
  },
  JOB_CANCELLED: { ko: "작업이 취소되었습니다.", en: "The job is cancelled." },
  JOB_CANCEL_REQUESTED: {
    ko: "취소가 요청되었습니다. 처리 중인 작업이 멈추면 취소됩니다.",
    en: "Cancelling is requested. The job is cancelled when its handler has stopped.",
  },
  JOB_RUNS_NOW: { ko: "작업이 바로 실행되도록 했습니다.", en: "The job is due now." },
  LANE_HELD: { ko: "레인이 보류되었습니다.", en: "The lane is held." },
  LANE_RELEASED: { ko: "레인이 다시 열렸습니다.", en: "The lane is open again." },
  LANE_UNCHANGED: { ko: "변경된 것이 없습니다.", en: "Nothing changed." },
  REST_CANCELLED: {
    ko: "레인의 남은 작업 {count}개가 취소되었습니다.",
    en: "{count} waiting {count:job|jobs} of the lane {count:is|are} cancelled.",
  },
  SKIPPED_WITH_REST: {
    ko: "실패한 작업을 건너뛰고 뒤의 작업 {count}개를 취소했습니다.",
    en: "The failed job is skipped, and {count} {count:job|jobs} behind it {count:is|are} cancelled.",
  },
  PURGED: {
    ko: "끝난 작업 {count}개를 삭제했습니다.",
    en: "{count} ended {count:job was|jobs were} deleted.",
  },
  JOB_DELETED: { ko: "작업을 삭제했습니다.", en: "The job is deleted." },
  QUEUE_DELETED: {
    ko: "큐와 작업 {count}개를 삭제했습니다.",
    en: "The queue is deleted, with {count} {count:job|jobs}.",
  },
  PLAN_APPLIED: {
    ko: "계획한 작업 {count}개에 그대로 적용했습니다.",
    en: "Applied to exactly the {count} {count:job|jobs} of the plan.",
  },
} as const satisfies Record<string, Record<Language, string>>;

export type MessageCode = keyof typeof MESSAGES;

export function messageOf(
  code: MessageCode,
  language: Language,
  facts: Record<string, unknown> = {},
): string {
  return filledIn(MESSAGES[code][language], facts);
}
