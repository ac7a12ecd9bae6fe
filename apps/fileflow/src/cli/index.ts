import { defineCliApp } from "@andon/cli/app";
import { pipelineCancel, pipelineRetry } from "./decisions.ts";
import { dlqDiscard, dlqRedrives, dlqStop } from "./dlq-decisions.ts";
import { dlqList, dlqShow } from "./dlq-list.ts";
import { dlqRedrive } from "./dlq-redrive.ts";
import { objects, sqs } from "./doctor.ts";
import { pipelineExecutions } from "./executions.ts";
import { pipelineIngest } from "./ingest.ts";
import { pipelineList } from "./pipelines.ts";
import { pipelineSchedules } from "./schedules.ts";
import { pipelineExtractions, pipelineLogs, pipelineShow } from "./show-execution.ts";

/** What this app adds to the command `andon`. */
export default defineCliApp({
  name: "fileflow",
  commands: [
    pipelineList,
    pipelineExecutions,
    pipelineShow,
    pipelineLogs,
    pipelineExtractions,
    pipelineCancel,
    pipelineRetry,
    pipelineIngest,
    pipelineSchedules,
    dlqList,
    dlqShow,
    dlqRedrive,
    dlqDiscard,
    dlqRedrives,
    dlqStop,
  ],
  groups: {
    pipeline: {
      en: "Pipelines: executions about stored objects",
      ko: "파이프라인: 저장된 오브젝트를 처리하는 실행",
    },
    dlq: { en: "Dead letters: messages that became no execution", ko: "DLQ: 실행이 되지 못한 메시지" },
  },
  hints: {
    "PP-404-EXEC": {
      en: "Which there are: andon pipeline executions",
      ko: "실행 목록: andon pipeline executions",
    },
    "PP-409-STATE": {
      en: "What it does now: andon pipeline show <id>, or andon dlq show <id>",
      ko: "현재 상태: andon pipeline show <id> 또는 andon dlq show <id>",
    },
    "PP-400-JSON": {
      en: "Why, and the message: andon dlq show <id>",
      ko: "원인과 원문: andon dlq show <id>",
    },
    DLQ_NOT_FOUND: { en: "Which there are: andon dlq list", ko: "목록: andon dlq list" },
    DLQ_NOTHING_TO_REDRIVE: {
      en: "Which are dead: andon dlq list --state DEAD",
      ko: "목록: andon dlq list --state DEAD",
    },
    REDRIVE_NOT_FOUND: { en: "Which there are: andon dlq redrives", ko: "목록: andon dlq redrives" },
    PIPELINE_UNKNOWN: { en: "Which there are: andon pipeline list", ko: "목록: andon pipeline list" },
  },
  doctor: [sqs, objects],
});
