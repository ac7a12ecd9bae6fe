import { defineCliApp } from "@andon/cli/app";
import { bulkAbort, bulkDelete, bulkResume, bulkThrottle } from "./decisions.ts";
import { redis } from "./doctor.ts";
import { bulkList, bulkShow } from "./list.ts";
import { bulkWatch } from "./watch.ts";

/** What this app adds to the command `andon`. */
export default defineCliApp({
  name: "broadcast",
  commands: [bulkList, bulkShow, bulkAbort, bulkResume, bulkThrottle, bulkDelete, bulkWatch],
  groups: {
    bulk: { en: "Bulk jobs: notifications to every channel", ko: "대량 작업: 모든 채널에 보내는 알림" },
  },
  hints: {
    BULK_JOB_NOT_FOUND: { en: "Which there are: andon bulk list", ko: "작업 목록: andon bulk list" },
    BULK_STATE: { en: "What it does now: andon bulk show <id>", ko: "현재 상태: andon bulk show <id>" },
  },
  doctor: [redis],
});
