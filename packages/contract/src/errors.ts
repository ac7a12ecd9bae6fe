import { filledIn } from "./fill-in.ts";

/**
 * The core's error catalogue: every error that a caller can get, with its HTTP status and its message in both languages. An app
 * brings a catalogue of its own.
 * Messages are filled from the error's details as `filledIn` reads them. One table in one file, however long: a code has one place.
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
  VALIDATION_FAILED: {
    status: 400,
    en: "Invalid request: {problem}.",
    ko: "요청이 올바르지 않습니다: {problem}.",
  },
  PLAN_EMPTY: {
    status: 400,
    en: "No matching job allows this action.",
    ko: "조건에 맞는 작업 가운데 이 처리를 적용할 수 있는 것이 없습니다.",
  },
  PLAN_TOO_LARGE: {
    status: 400,
    en: "More than {most} jobs match: narrow the filter, and plan the rest afterwards.",
    ko: "조건에 맞는 작업이 {most}개를 넘습니다. 조건을 좁히고 나머지는 나중에 계획하세요.",
  },
  DEMO_EXISTS: {
    status: 409,
    en: "The demo is there already. Remove it before you start another.",
    ko: "데모가 이미 있습니다. 새로 시작하려면 먼저 삭제하세요.",
  },
  DEMO_NOT_HERE: {
    status: 409,
    en: "There is no demo in this process.",
    ko: "이 프로세스에는 데모가 없습니다.",
  },
  UNAUTHENTICATED: {
    status: 401,
    en: "A valid token is needed: send it as `Authorization: Bearer …`.",
    ko: "유효한 토큰이 필요합니다. `Authorization: Bearer …`로 보내세요.",
  },
  LOGIN_FAILED: {
    status: 401,
    en: "This code or token is not valid, was used already, or has expired.",
    ko: "코드 또는 토큰이 올바르지 않거나, 이미 사용되었거나, 만료되었습니다.",
  },
  FORBIDDEN: {
    status: 403,
    en: "This needs the permission {permission}.",
    ko: "{permission} 권한이 필요합니다.",
  },
  SCOPE_TOO_NARROW: {
    status: 403,
    en: "This affects all tenants: use a key without a scope.",
    ko: "모든 테넌트에 영향을 주는 요청입니다. 범위 제한이 없는 키를 사용하세요.",
  },
  "PP-403-SCOPE": {
    status: 403,
    en: 'Your key has no access to "{given}".',
    ko: '이 키로는 "{given}"에 접근할 수 없습니다.',
  },
  ORIGIN_REFUSED: {
    status: 403,
    en: "A change by a session must come from the console's own address.",
    ko: "세션을 통한 변경은 콘솔과 같은 주소에서만 할 수 있습니다.",
  },
  NOT_FOUND: {
    status: 404,
    en: "There is nothing at {method} {path}.",
    ko: "{method} {path} 경로를 찾을 수 없습니다.",
  },
  KEY_NOT_FOUND: { status: 404, en: "There is no key {key}.", ko: "키 {key}을(를) 찾을 수 없습니다." },
  SESSION_NOT_FOUND: {
    status: 404,
    en: "There is no login {session}.",
    ko: "로그인 {session}을(를) 찾을 수 없습니다.",
  },
  LOGIN_NOT_NAMED: {
    status: 409,
    en: "Only a login with the admin token, a link or an API key can be named: others carry the name of a person.",
    ko: "관리자 토큰, 링크 또는 API 키로 한 로그인에만 이름을 붙일 수 있습니다. 다른 로그인에는 사람의 이름이 이미 있습니다.",
  },
  ALERT_NOT_FOUND: {
    status: 404,
    en: "There is no alert {alert}.",
    ko: "알림 {alert}을(를) 찾을 수 없습니다.",
  },
  ALERT_RESOLVED: {
    status: 409,
    en: "The alert {alert} is resolved.",
    ko: "알림 {alert}은(는) 이미 해소되었습니다.",
  },
  ALERT_SNOOZE_PAST: {
    status: 400,
    en: "{until} is in the past.",
    ko: "{until}은(는) 이미 지난 시각입니다.",
  },
  PLAN_NOT_FOUND: {
    status: 404,
    en: "There is no plan {plan}.",
    ko: "계획 {plan}을(를) 찾을 수 없습니다.",
  },
  OPERATION_CANCELLED: {
    status: 409,
    en: "The operation {operation} was cancelled: {done} of {total} {total:job|jobs} were done, the others stay as they are.",
    ko: "일괄 처리 {operation}이(가) 취소되었습니다. {total}개 중 {done}개를 처리했고 나머지는 그대로입니다.",
  },
  OPERATION_ENDED: {
    status: 409,
    en: "The operation {operation} cannot be cancelled: it is {state}.",
    ko: "일괄 처리 {operation}은(는) 취소할 수 없습니다(상태 {state}).",
  },
  OPERATION_NOT_FOUND: {
    status: 404,
    en: "There is no operation {operation}.",
    ko: "일괄 처리 {operation}을(를) 찾을 수 없습니다.",
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
  REQUEST_TIMEOUT: {
    status: 408,
    en: "The request timed out before it was complete.",
    ko: "요청이 다 도착하기 전에 시간이 초과되었습니다.",
  },
  JOB_STATE: {
    status: 409,
    en: "Job {job} is {state}: {event} is possible only from {allowed}.",
    ko: "작업 {job}의 상태는 {state}입니다. {event}은(는) {allowed} 상태에서만 할 수 있습니다.",
  },
  STAGE_UNKNOWN: {
    status: 409,
    en: 'The job needs the stage "{stage}", which queue {queue} no longer has.',
    ko: '작업에 필요한 단계 "{stage}"이(가) 큐 {queue}에 더 이상 없습니다.',
  },
  LANE_HELD_BY_FAILURE: {
    status: 409,
    en: 'Lane "{key}" is held by the failed job {job}: retry or skip that job instead.',
    ko: '레인 "{key}"은(는) 실패한 작업 {job} 때문에 보류되었습니다. 그 작업을 재시도하거나 건너뛰세요.',
  },
  LANE_HELD_BY_OPERATION: {
    status: 409,
    en: 'Lane "{key}" is held by {by}, which is cancelling its waiting jobs: the lane opens when that is done.',
    ko: '레인 "{key}"은(는) 대기 작업을 취소하고 있는 {by} 때문에 보류되었습니다. 취소가 끝나면 다시 열립니다.',
  },
  OPERATION_FAILED: {
    status: 409,
    en: "The operation ended before it was complete: {problem}",
    ko: "일괄 처리가 완료되지 못하고 끝났습니다: {problem}",
  },
  RESUME_UNRESOLVED: {
    status: 409,
    en: "This queue has {count} unresolved failed {count:job|jobs}: retry or skip {count:it|them} before you resume it.",
    ko: "처리되지 않은 실패 작업이 {count}개 있습니다. 재시도하거나 건너뛴 뒤 재개하세요.",
  },
  DECISION_NOT_FOUND: {
    status: 404,
    en: "There is no decision {decision}.",
    ko: "결정 {decision}을(를) 찾을 수 없습니다.",
  },
  DECISION_PENDING: {
    status: 409,
    en: "A decision about the job {job} is held back already: {decision}. Undo it first.",
    ko: "작업 {job}에 대한 결정 {decision}이(가) 이미 적용을 기다리고 있습니다. 먼저 그 결정을 되돌리세요.",
  },
  DECISION_SETTLED: {
    status: 409,
    en: "The decision {decision} cannot be undone: it is {state}.",
    ko: "결정 {decision}은(는) 되돌릴 수 없습니다(상태 {state}).",
  },
  HISTORY_RANGE: {
    status: 400,
    en: "The history's range ends before it begins: from {from} to {to}.",
    ko: "히스토리 범위의 끝이 시작보다 앞섭니다({from} ~ {to}).",
  },
  HISTORY_TOO_LONG: {
    status: 400,
    en: "The range has {points} points of {step}; at most {most} are allowed. Ask for a shorter range or a longer step.",
    ko: "요청한 범위는 {step} 단위로 {points}구간입니다. 최대 {most}구간까지 가능합니다. 범위를 줄이거나 단위를 늘리세요.",
  },
  QUEUE_IN_USE: {
    status: 409,
    en: "The queue {queue} is in use (state {state}, {running} running, {workers} workers): stop it and close its workers first.",
    ko: "큐 {queue}을(를) 사용하는 중입니다(상태 {state}, 처리 중 {running}건, 워커 {workers}개). 먼저 큐를 정지하고 워커를 종료하세요.",
  },
  PLAN_STALE: {
    status: 409,
    en: "{count} {count:job|jobs} of the plan {count:has|have} changed since it was made: nothing was done. Make a new plan.",
    ko: "계획 이후 {count}개의 작업이 바뀌어 아무것도 하지 않았습니다. 새로 계획하세요.",
  },
  PLAN_USED: {
    status: 409,
    en: "This plan is {state}: make a new one.",
    ko: "이 계획은 {state} 상태입니다. 새로 계획하세요.",
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    en: "This Idempotency-Key was used with another body.",
    ko: "이 Idempotency-Key는 다른 본문과 함께 이미 사용되었습니다.",
  },
  BULLMQ_NOT_OFFERED: {
    status: 409,
    en: "BullMQ runs the queue {queue}: this is not available for it.",
    ko: "큐 {queue}은(는) BullMQ가 실행하므로 이 기능을 쓸 수 없습니다.",
  },
  QUEUE_NOT_DEFINED: {
    status: 409,
    en: 'This process does not define the queue "{queue}", so it cannot decide about it: name the queue with its rules in the setting `queues`, or provide it with an app. See docs/en/guide/server.md#a-program-of-yours-beside-the-server.',
    ko: '이 프로세스에는 큐 "{queue}"의 정의가 없어 처리할 수 없습니다. 설정 `queues`에 그 큐를 규칙과 함께 적거나 앱으로 제공하세요. docs/ko/guide/server.md#서버-옆의-내-프로그램 참고.',
  },
  JOBS_FROM_APP: {
    status: 409,
    en: 'Jobs of queue "{queue}" are created by the app or the server that owns it and cannot be added here.',
    ko: '큐 "{queue}"의 작업은 그 큐를 제공하는 앱이나 서버가 만듭니다. 여기서는 추가할 수 없습니다.',
  },
  RULES_DIFFER: {
    status: 409,
    en: 'Another process works the queue "{queue}" in a mode other than "{mode}": to keep the order, this process waits until that one ends.',
    ko: '다른 프로세스가 큐 "{queue}"을(를) "{mode}"이(가) 아닌 모드로 처리하고 있습니다. 순서를 지키기 위해 그 프로세스가 끝날 때까지 기다립니다.',
  },
  CLAIM_LOST: {
    status: 409,
    en: "The claim on job {job} was lost: another worker may have it, so this write was refused.",
    ko: "작업 {job}의 점유를 잃었습니다. 다른 워커가 처리할 수 있으므로 이 쓰기는 거부되었습니다.",
  },
  PRECONDITION_FAILED: {
    status: 412,
    en: "The file's ETag does not match `If-Match`.",
    ko: "파일의 ETag가 `If-Match`의 값과 다릅니다.",
  },
  RANGE_BEYOND_END: {
    status: 416,
    en: "The range begins after the end: the file has {size} {size:byte|bytes}.",
    ko: "요청한 범위가 파일 끝을 넘습니다. 파일 크기는 {size}바이트입니다.",
  },
  BODY_TOO_LARGE: {
    status: 413,
    en: "The body is larger than {most} bytes.",
    ko: "본문이 {most}바이트를 넘습니다.",
  },
  PATH_TOO_LONG: {
    status: 414,
    en: "A part of the path is longer than {most} characters.",
    ko: "경로의 한 부분이 {most}자를 넘습니다.",
  },
  MEDIA_TYPE: {
    status: 415,
    en: "The body must be {allowed}.",
    ko: "본문은 {allowed} 형식이어야 합니다.",
  },
  LOGIN_SLOWED: {
    status: 429,
    en: "Too many failed logins: try again in {seconds} s.",
    ko: "로그인 실패가 너무 많습니다. {seconds}초 뒤에 다시 시도하세요.",
  },
  TOKENS_SLOWED: {
    status: 429,
    en: "Too many requests with invalid tokens: try again in {seconds} s. A valid token works at once.",
    ko: "유효하지 않은 토큰으로 보낸 요청이 너무 많습니다. {seconds}초 뒤에 다시 시도하세요. 유효한 토큰은 바로 쓸 수 있습니다.",
  },
  TOO_MANY_CONNECTIONS: {
    status: 429,
    en: "Too many connections from this address: {most} are allowed.",
    ko: "이 주소에서 연결이 너무 많습니다. {most}개까지 허용됩니다.",
  },
  TOO_MANY_STREAMS: {
    status: 429,
    en: "Too many event streams with this key: {most} are allowed. Close one, or try again in {seconds} s.",
    ko: "이 키로 연 이벤트 스트림이 너무 많습니다. {most}개까지 허용됩니다. 하나를 닫거나 {seconds}초 뒤에 다시 시도하세요.",
  },
  BODIES_IN_FLIGHT: {
    status: 429,
    en: "Too many large requests at once: send fewer at a time, and try again in {seconds} s.",
    ko: "큰 요청을 한꺼번에 너무 많이 보냈습니다. 동시에 보내는 수를 줄이고 {seconds}초 뒤에 다시 시도하세요.",
  },
  INTERNAL: {
    status: 500,
    en: "Internal error. The log has the details under this trace id.",
    ko: "내부 오류가 발생했습니다. 추적 ID로 로그를 확인하세요.",
  },
  NESTED_TRANSACTION: {
    status: 500,
    en: "A transaction was opened inside a transaction: pass the outer one on as `tx`.",
    ko: "트랜잭션 안에서 트랜잭션을 열었습니다. 바깥 트랜잭션을 `tx`로 넘기세요.",
  },
  TRANSACTION_TIMEOUT: {
    status: 500,
    en: "A transaction was still open after {ms} ms and was rolled back: do slow work before it, not in it.",
    ko: "트랜잭션이 {ms}ms가 지나도 열려 있어 롤백했습니다. 느린 일은 트랜잭션을 열기 전에 하세요.",
  },
  TRANSACTION_CLOSED: {
    status: 500,
    en: "This transaction has already ended.",
    ko: "이미 끝난 트랜잭션입니다.",
  },
  SEVERAL_STATEMENTS: {
    status: 400,
    en: "The text has several SQL statements: send each with a `query` of its own.",
    ko: "텍스트 하나에 SQL 문이 여러 개 있습니다. 문마다 `query`를 따로 호출하세요.",
  },
  SCHEMA_UNRELEASED: {
    status: 500,
    en: 'The tables of "{set}" were made by a version before the first release and cannot be migrated: use another data folder or an empty database.',
    ko: '"{set}"의 테이블은 첫 릴리스 이전 버전이 만든 것이라 새 버전으로 바꿀 수 없습니다. 다른 데이터 폴더나 빈 데이터베이스를 사용하세요.',
  },
  SCHEMA_TOO_NEW: {
    status: 500,
    en: "The store's schema is version {found}, this program knows versions up to {known}: update the program.",
    ko: "저장소 스키마의 버전은 {found}이고 이 프로그램이 지원하는 버전은 {known}까지입니다. 프로그램을 업데이트하세요.",
  },
  PORT_TAKEN: {
    status: 500,
    en: "Port {port} of {host} is in use: set ANDON_PORT (or `port`) to another one.",
    ko: "{host}의 포트 {port}이(가) 이미 사용 중입니다. ANDON_PORT(또는 `port`)를 다른 값으로 바꾸세요.",
  },
  PORT_FORBIDDEN: {
    status: 500,
    en: "Port {port} of {host} needs more rights: set ANDON_PORT (or `port`) to 1024 or higher.",
    ko: "{host}의 포트 {port}을(를) 쓸 권한이 없습니다. ANDON_PORT(또는 `port`)를 1024 이상으로 바꾸세요.",
  },
  STORE_URL: {
    status: 400,
    en: 'Invalid store address "{given}": use sqlite:<path>, sqlite::memory: or postgres://….',
    ko: '저장소 주소 "{given}"이(가) 올바르지 않습니다. sqlite:<경로>, sqlite::memory: 또는 postgres://… 를 쓰세요.',
  },
  STORE_NOT_OPENED: {
    status: 503,
    en: 'The store "{path}" cannot be opened: {problem}.',
    ko: '저장소 "{path}"을(를) 열 수 없습니다: {problem}.',
  },
  STORAGE_URL: {
    status: 400,
    en: 'Invalid storage address "{given}". Known: {hint}',
    ko: '스토리지 주소 "{given}"이(가) 올바르지 않습니다. 사용할 수 있는 형식: {hint}',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    en: "The store does not answer: {problem}.",
    ko: "저장소가 응답하지 않습니다: {problem}.",
  },
  BULLMQ_UNAVAILABLE: {
    status: 503,
    en: "The Redis of the BullMQ queue {queue} does not answer: {problem}.",
    ko: "BullMQ 큐 {queue}의 Redis가 응답하지 않습니다: {problem}.",
  },
  CLOSED: { status: 503, en: "Andon is closed.", ko: "Andon이 이미 종료되었습니다." },
} as const satisfies ErrorCatalogue;

/** An error that a caller can get: its HTTP status, and its message in both languages. */
export interface ErrorEntry {
  readonly status: number;
  readonly en: string;
  readonly ko: string;
}

/** Errors by code. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
export type Language = "en" | "ko";

/** A text for people, in both languages. */
export type Localized = Readonly<Record<Language, string>>;

/** A detail as it is shown in a language. */
export function shownDetail(detail: unknown, language: Language): unknown {
  const isLocalized = typeof detail === "object" && detail !== null && "en" in detail && "ko" in detail;
  return isLocalized ? (detail as Localized)[language] : detail;
}

/** The message of an error in a language, with the details filled in. */
export function errorMessage(
  entry: ErrorEntry,
  details: Readonly<Record<string, unknown>>,
  language: Language,
): string {
  const facts = Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [name, shownDetail(detail, language)]),
  );
  return filledIn(entry[language], facts, () => "").trim();
}

/** The one error type: a code, its entry in the catalogue, and the details that fill its message. */
export class AndonError extends Error {
  override readonly name = "AndonError";
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly entry: ErrorEntry;

  /** Codes of the core need no `entry`; an app's errors bring theirs (`defineErrors`). */
  constructor(code: ErrorCode, details?: Record<string, unknown>, options?: { cause?: unknown });
  constructor(
    code: string,
    details: Record<string, unknown>,
    options: { cause?: unknown; entry: ErrorEntry },
  );
  constructor(
    code: string,
    details: Record<string, unknown> = {},
    options: { cause?: unknown; entry?: ErrorEntry } = {},
  ) {
    const entry = options.entry ?? ERROR_CATALOGUE[code as ErrorCode];
    super(errorMessage(entry, details, "en"), "cause" in options ? { cause: options.cause } : {});
    this.code = code;
    this.status = entry.status;
    this.details = details;
    this.entry = entry;
    // Not enumerable: a log shows the code and the details, not the whole entry.
    Object.defineProperty(this, "entry", { enumerable: false });
  }

  in(language: Language): string {
    return errorMessage(this.entry, this.details, language);
  }
}

/** The error class of an app: `class AddressError extends defineErrors(ADDRESS_ERRORS) {}`, thrown with one of its codes. */
export function defineErrors<const Catalogue extends ErrorCatalogue>(catalogue: Catalogue) {
  return class extends AndonError {
    constructor(
      code: keyof Catalogue & string,
      details: Record<string, unknown> = {},
      options: { cause?: unknown } = {},
    ) {
      super(code, details, { ...options, entry: catalogue[code] as ErrorEntry });
    }
  };
}

export function isAndonError(error: unknown, code?: string): error is AndonError {
  return error instanceof AndonError && (code === undefined || error.code === code);
}
