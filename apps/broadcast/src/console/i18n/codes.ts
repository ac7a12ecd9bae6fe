import type { AppWords } from "@andon/console/app";

/**
 * The names that the core's pages show for this app's own codes. Separate from the words of its rooms, because they are part
 * of the first load.
 */
export const BROADCAST_CODES: Readonly<Record<"ko" | "en", AppWords>> = {
  ko: {
    actions: {
      "bulk.abort": "대량 작업 중단 요청",
      "bulk.cancel": "대량 작업 취소",
      "bulk.aborted": "대량 작업 중단됨",
      "bulk.resume": "대량 작업 재개",
      "bulk.throttle": "대량 작업 속도 변경",
      "bulk.delete": "대량 작업 삭제",
    },
    hints: { BULK_STATE: "그사이 상태가 바뀌었습니다. 이제 현재 상태가 표시됩니다." },
  },
  en: {
    actions: {
      "bulk.abort": "Asked the bulk job to stop",
      "bulk.cancel": "Cancelled the bulk job",
      "bulk.aborted": "The bulk job stopped",
      "bulk.resume": "Resumed the bulk job",
      "bulk.throttle": "Changed the speed of the bulk job",
      "bulk.delete": "Deleted the bulk job",
    },
    hints: { BULK_STATE: "Its state has changed meanwhile. The page now shows the current one." },
  },
};
