import { defineErrors } from "@andon/contract";

/** The errors of this app; all others come from the core's catalogue. */
export const FILEFLOW_ERRORS = {
  "PP-400-JSON": {
    status: 400,
    en: "The message is not a valid event: {problem}. It was kept as dead letter {dlqId}.",
    ko: "메시지가 올바른 이벤트가 아닙니다: {problem}. DLQ에 {dlqId}(으)로 보관했습니다.",
  },
  "PP-404-EXEC": {
    status: 404,
    en: "The execution was not found.",
    ko: "실행을 찾을 수 없습니다.",
  },
  "PP-409-IDEMP": {
    status: 409,
    en: "Execution {executionId} already has this idempotency key, with another {differs}.",
    ko: "실행 {executionId}이(가) 같은 멱등성 키를 이미 사용하고 있으며 {differs} 값이 다릅니다.",
  },
  "PP-409-STATE": {
    status: 409,
    en: "It is {state}, which does not allow this ({action}).",
    ko: "{state} 상태라서 이 동작({action})을 할 수 없습니다.",
  },
  "PP-500-IO": {
    status: 500,
    en: "The object storage could not be used: {problem}.",
    ko: "오브젝트 스토리지를 사용할 수 없습니다: {problem}.",
  },
  DLQ_NOT_FOUND: { status: 404, en: "The dead letter was not found.", ko: "DLQ 메시지를 찾을 수 없습니다." },
  DLQ_NOTHING_TO_REDRIVE: {
    status: 409,
    en: "No matching dead letter can be redriven.",
    ko: "재처리할 수 있는 DLQ 메시지가 없습니다.",
  },
  REDRIVE_NOT_FOUND: { status: 404, en: "The redrive was not found.", ko: "재처리 작업을 찾을 수 없습니다." },
  EXTRACTION_NOT_FOUND: {
    status: 404,
    en: "The extraction was not found.",
    ko: "추출 결과를 찾을 수 없습니다.",
  },
  PIPELINE_UNKNOWN: {
    status: 400,
    en: 'There is no pipeline "{code}". Known: {known}.',
    ko: '파이프라인 "{code}"이(가) 없습니다. 사용할 수 있는 값: {known}.',
  },
} as const;

export class FileflowError extends defineErrors(FILEFLOW_ERRORS) {}
