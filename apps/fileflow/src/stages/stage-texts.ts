import type { Language, Localized } from "@andon/contract";

/** A text of a stage: in both languages, or as an external program gives it. */
export type StageText = string | Localized;

export function stageText(text: StageText, language: Language): string {
  return typeof text === "string" ? text : text[language];
}

/** Why a stage does not apply to a file. Its row contains the key. */
const SKIP_REASONS = {
  NOT_AN_IMAGE: { en: "not an image that can be read", ko: "읽을 수 있는 이미지가 아닙니다" },
  NOT_A_TEXT: { en: "not a text document", ko: "텍스트 문서가 아닙니다" },
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;

/** A reason that is not one of these keys stays as it is. */
export function skipText(reason: string | null, language: Language): string | null {
  if (reason === null || !Object.hasOwn(SKIP_REASONS, reason)) return reason;
  return SKIP_REASONS[reason as SkipReason][language];
}

/** The log texts for the start and each end of a stage. */
export const STAGE_EVENTS = {
  STARTED: { en: "started", ko: "시작" },
  COMPLETED: { en: "completed", ko: "완료" },
  SKIPPED: { en: "skipped", ko: "건너뜀" },
} as const;

/** The Korean text of each error code of a program; the English text comes from the program and has more detail. */
const EXTRACT_KO: Readonly<Record<string, string>> = {
  EXTRACT_ENCRYPTED: "암호로 보호된 파일이라 읽을 수 없습니다",
  EXTRACT_CORRUPT: "파일이 손상되어 해석할 수 없습니다",
  EXTRACT_BOMB: "압축을 풀면 지나치게 커지는 파일이라 읽지 않았습니다",
  EXTRACT_UNSUPPORTED: "지원하지 않는 형식의 파일입니다",
  EXTRACT_MEMORY: "파일을 읽는 데 필요한 메모리가 제한을 넘었습니다",
  EXTRACT_TIMEOUT: "파일을 읽는 시간이 제한을 넘었습니다",
  EXTRACT_CRASHED: "파일을 읽던 프로세스가 비정상 종료되었습니다",
  EXTRACT_IO: "작업용 파일을 읽거나 쓸 수 없습니다",
  EXTRACT_CLOSED: "파일을 읽는 프로세스가 종료되었습니다",
};

export function extractText(code: string, message: string): Localized {
  return { en: message, ko: Object.hasOwn(EXTRACT_KO, code) ? (EXTRACT_KO[code] as string) : message };
}
