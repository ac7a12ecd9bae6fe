/**
 * The error catalogue: every error that a caller can get, with its HTTP status and its message in both languages.
 * `{name}` in a message is filled from the error's details.
 */
export const ERROR_CATALOGUE = {
  UNKNOWN_OPTION: {
    status: 400,
    en: 'Unknown option "{option}" in {where}. {hint}',
    ko: '{where}에 알 수 없는 옵션 "{option}"이(가) 있습니다. {hint}',
  },
  INVALID_OPTION: {
    status: 400,
    en: "{where}: {option} is {given}; allowed: {allowed}.",
    ko: "{where}: {option} 값이 {given}입니다. 허용되는 값: {allowed}.",
  },
  PAYLOAD_INVALID: {
    status: 400,
    en: "The payload cannot be stored: {problem}.",
    ko: "페이로드를 저장할 수 없습니다: {problem}.",
  },
  REASON_REQUIRED: {
    status: 400,
    en: "This decision needs a reason that is not blank.",
    ko: "이 결정에는 사유가 필요합니다. 빈 값은 쓸 수 없습니다.",
  },
  QUEUE_NOT_FOUND: {
    status: 404,
    en: 'There is no queue "{queue}".',
    ko: '큐 "{queue}"을(를) 찾을 수 없습니다.',
  },
  JOB_NOT_FOUND: { status: 404, en: "Job {job} was not found.", ko: "작업을 찾을 수 없습니다." },
  LANE_NOT_FOUND: {
    status: 404,
    en: 'Queue "{queue}" has no lane "{key}".',
    ko: '큐 "{queue}"에 레인 "{key}"이(가) 없습니다.',
  },
  STOP_NOT_FOUND: {
    status: 404,
    en: "There is no stop {stop}.",
    ko: "정지 기록 {stop}을(를) 찾을 수 없습니다.",
  },
  SCHEDULE_NOT_FOUND: {
    status: 404,
    en: 'There is no schedule "{schedule}".',
    ko: '스케줄 "{schedule}"을(를) 찾을 수 없습니다.',
  },
  JOB_STATE: {
    status: 409,
    en: "Job {job} is {state}: {event} is possible only from {allowed}.",
    ko: "작업 {job}의 상태는 {state}입니다. {event}은(는) {allowed} 상태에서만 할 수 있습니다.",
  },
  LANE_HELD_BY_FAILURE: {
    status: 409,
    en: 'Lane "{key}" is held by the failed job {job}: retry or skip that job instead.',
    ko: '레인 "{key}"은(는) 실패한 작업 {job} 때문에 보류되었습니다. 그 작업을 재시도하거나 건너뛰세요.',
  },
  RESUME_UNRESOLVED: {
    status: 409,
    en: "{count} failed jobs still stand in this queue: retry or skip them before you resume it.",
    ko: "처리되지 않은 실패 작업이 {count}개 있습니다. 재시도하거나 건너뛴 뒤 재개하세요.",
  },
  CLAIM_LOST: {
    status: 409,
    en: "The claim on job {job} was lost: another worker may have it, so this write was refused.",
    ko: "작업 {job}의 점유를 잃었습니다. 다른 워커가 처리할 수 있으므로 이 쓰기는 거부되었습니다.",
  },
  NESTED_TRANSACTION: {
    status: 500,
    en: "A transaction was opened inside a transaction: pass the outer one on as `tx`.",
    ko: "트랜잭션 안에서 트랜잭션을 열었습니다. 바깥 트랜잭션을 `tx`로 넘기세요.",
  },
  TRANSACTION_TIMEOUT: {
    status: 500,
    en: "A transaction was still open after {ms} ms and was rolled back: do slow work before it, not in it.",
    ko: "트랜잭션이 {ms}ms 뒤에도 열려 있어 되돌렸습니다. 느린 일은 트랜잭션 밖에서 하세요.",
  },
  TRANSACTION_CLOSED: {
    status: 500,
    en: "This transaction has already ended.",
    ko: "이미 끝난 트랜잭션입니다.",
  },
  SCHEMA_TOO_NEW: {
    status: 500,
    en: "The store's schema is version {found}, this program knows {known}: update the program.",
    ko: "저장소 스키마 버전은 {found}이고 이 프로그램은 {known}까지 압니다. 프로그램을 업데이트하세요.",
  },
  STORE_URL: {
    status: 400,
    en: 'The store "{given}" is not understood: use sqlite:<path>, sqlite::memory: or postgres://….',
    ko: '저장소 "{given}"을(를) 이해할 수 없습니다. sqlite:<경로>, sqlite::memory: 또는 postgres://… 를 쓰세요.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    en: "The store does not answer: {problem}.",
    ko: "저장소가 응답하지 않습니다: {problem}.",
  },
  CLOSED: { status: 503, en: "Andon is closed.", ko: "Andon이 이미 종료되었습니다." },
} as const satisfies Record<string, { status: number; en: string; ko: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
export type Language = "en" | "ko";

/** The message of a code in a language, with the details filled in. */
export function errorMessage(code: ErrorCode, details: Record<string, unknown>, language: Language): string {
  return ERROR_CATALOGUE[code][language]
    .replace(/\{(\w+)\}/g, (_, name) => String(details[name] ?? ""))
    .trim();
}

/** The one error type: a code from the catalogue, its HTTP status, and the details that made it. */
export class AndonError extends Error {
  override readonly name = "AndonError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, details: Record<string, unknown> = {}, options?: { cause?: unknown }) {
    super(errorMessage(code, details, "en"), options);
    this.code = code;
    this.status = ERROR_CATALOGUE[code].status;
    this.details = details;
  }

  in(language: Language): string {
    return errorMessage(this.code, this.details, language);
  }
}

export function isAndonError(error: unknown, code?: ErrorCode): error is AndonError {
  return error instanceof AndonError && (code === undefined || error.code === code);
}
