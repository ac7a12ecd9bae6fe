import type { AppWords } from "@andon/console/app";

/**
 * The names that the core's pages show for this app's own codes. Separate from the words of its rooms, because they are part
 * of the first load.
 */
export const FILEFLOW_CODES: Readonly<Record<"ko" | "en", AppWords>> = {
  ko: {
    actions: {
      "execution.cancel": "실행 취소",
      "execution.retry": "실행 재시도",
      "dlq.redrive": "DLQ 메시지 재처리",
      "dlq.discard": "DLQ 메시지 폐기",
      "dlq.redrive.cancel": "DLQ 재처리 중지",
      "schedule.create": "스케줄 생성",
      "schedule.change": "스케줄 변경",
      "schedule.delete": "스케줄 삭제",
      "schedule.run": "스케줄 즉시 실행",
    },
    hints: {
      "PP-409-STATE": "그사이 상태가 바뀌었습니다. 이제 현재 상태가 표시됩니다.",
      "PP-403-SCOPE": "이 키의 범위 밖입니다. 테넌트나 조직 필터를 지우세요.",
      DLQ_NOTHING_TO_REDRIVE: "조건에 맞는 메시지 중 DEAD 상태인 것이 없습니다. 필터를 확인하세요.",
      PLAN_EMPTY: "조건에 맞는 실패한 실행이 없습니다. 필터를 확인하세요.",
    },
  },
  en: {
    actions: {
      "execution.cancel": "Cancelled the execution",
      "execution.retry": "Retried the execution",
      "dlq.redrive": "Redrove dead letters",
      "dlq.discard": "Discarded the dead letter",
      "dlq.redrive.cancel": "Stopped the redrive",
      "schedule.create": "Made the schedule",
      "schedule.change": "Changed the schedule",
      "schedule.delete": "Deleted the schedule",
      "schedule.run": "Ran the schedule now",
    },
    hints: {
      "PP-409-STATE": "Its state has changed meanwhile. The page now shows the current one.",
      "PP-403-SCOPE": "It is outside the scope of this key. Clear the filter for tenant or organisation.",
      DLQ_NOTHING_TO_REDRIVE: "None of the matching messages is DEAD. Check the filters.",
      PLAN_EMPTY: "No failed execution matches. Check the filters.",
    },
  },
};
