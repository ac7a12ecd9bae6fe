import type { Language } from "@andon/contract";

/**
 * Why a message is not a valid event. Dead letters, their copies in SQS and logs contain the English text; readers of Korean
 * get the Korean text, which is looked up by the English one.
 */
const REASONS = {
  MISSING: { en: "{field}: is missing", ko: "{field}: 값이 없습니다" },
  NOT_TEXT: { en: "{field}: must be text", ko: "{field}: 문자열이어야 합니다" },
  EMPTY: { en: "{field}: must not be empty", ko: "{field}: 비어 있으면 안 됩니다" },
  TOO_LONG: { en: "{field}: is longer than {most} bytes", ko: "{field}: {most}바이트를 넘습니다" },
  NOT_STORABLE: {
    en: "{field}: NUL and half characters cannot be stored",
    ko: "{field}: NUL이나 깨진 문자는 저장할 수 없습니다",
  },
  BUCKET: { en: "bucket: letters, digits, . _ - only", ko: "bucket: 영문자, 숫자, . _ -만 쓸 수 있습니다" },
  PIPELINE: {
    en: 'pipelineCode: there is no pipeline "{code}"',
    ko: 'pipelineCode: "{code}" 파이프라인이 없습니다',
  },
  SIZE: { en: "size: must be a whole number of bytes", ko: "size: 바이트 수를 나타내는 정수여야 합니다" },
  TIME: { en: "occurredAt: must be a time in ISO 8601", ko: "occurredAt: ISO 8601 형식의 시각이어야 합니다" },
  PRIORITY: {
    en: "priority: must be a whole number from -{most} to {most}",
    ko: "priority: -{most}부터 {most}까지의 정수여야 합니다",
  },
  TOO_DEEP: { en: "body: deeper than {most} levels", ko: "body: {most}단계보다 깊습니다" },
  NOT_JSON: { en: "body: is no valid JSON", ko: "body: 올바른 JSON이 아닙니다" },
  NOT_OBJECT: { en: "body: must be an object", ko: "body: JSON 객체여야 합니다" },
  NO_SHAPE: {
    en: "type: is missing, and it is neither an S3 notification nor an EventBridge event",
    ko: "type: 값이 없고, S3 알림이나 EventBridge 이벤트도 아닙니다",
  },
  TOO_MANY: { en: "Records: more than {most}", ko: "Records: {most}개를 넘습니다" },
  EVENT_NAME: {
    en: "eventName: must be a kind of ObjectCreated",
    ko: "eventName: ObjectCreated 계열이어야 합니다",
  },
  KEY_ENCODING: { en: "key: is not encoded as a URL is", ko: "key: URL 인코딩이 올바르지 않습니다" },
  MUST_BE: { en: '{field}: must be "{value}"', ko: '{field}: "{value}"이어야 합니다' },
  DIFFERS: { en: "{fields}: differs from execution {id}", ko: "{fields}: 실행 {id}의 값과 다릅니다" },
  FAILED: { en: "failed {times} times: {problem}", ko: "{times}번 실패: {problem}" },
  MOVED: {
    en: "SQS moved it to its dead-letter queue: it was received too often and never deleted",
    ko: "SQS가 DLQ로 옮긴 메시지입니다. 여러 번 수신되었지만 삭제되지 않았습니다",
  },
} as const;

type Params = Readonly<Record<string, string | number>>;

/** The English text. */
export function refusalReason(reason: keyof typeof REASONS, params: Params = {}): string {
  return filled(REASONS[reason].en, params);
}

/** A stored reason in the reader's language; a text that is not in this table stays as it is. */
function localReason(text: string, language: Language): string {
  if (language === "en") return text;
  for (const { pattern, ko } of patterns()) {
    const params = pattern.exec(text)?.groups;
    if (params) return filled(ko, params);
  }
  return text;
}

export const localReasons = (texts: readonly string[], language: Language) =>
  texts.map((text) => localReason(text, language));

function filled(template: string, params: Params): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

let known: readonly { readonly pattern: RegExp; readonly ko: string }[] | undefined;

/** Reasons without parameters first, because a parameter matches almost any text. */
function patterns() {
  known ??= Object.values(REASONS)
    .toSorted((a, b) => Number(a.en.includes("{")) - Number(b.en.includes("{")))
    .map(({ en, ko }) => ({ pattern: patternOf(en), ko }));
  return known;
}

function patternOf(en: string): RegExp {
  const seen = new Set<string>();
  const parts = en.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>.+)`;
  });
  // The empty group makes `groups` exist even without parameters.
  return new RegExp(`^${parts.join("")}(?<end>)$`, "s");
}
