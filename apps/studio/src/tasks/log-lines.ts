import { errorText, filledIn, type Job, type Language, type Localized, shownDetail } from "@andon/contract";
import { PHASE_NAMES } from "../contract/states.ts";

/** The texts of a task's log, by code. `NOTE` is for the texts of an external executor. */
const LOG_TEXTS = {
  CREATED: { en: "Created by {user}.", ko: "{user}이(가) 만들었습니다." },
  WAITING_FOR_IMAGES: { en: "Waiting for images.", ko: "이미지를 기다립니다." },
  IMAGES_ADDED: { en: "Images added: {count}.", ko: "이미지 {count}개가 추가되었습니다." },
  IMAGE_FETCHED: { en: "Fetched {url} ({size} bytes).", ko: "{url} 주소에서 {size}바이트를 가져왔습니다." },
  ASKING_MODEL: { en: "Asking {model} at {host}.", ko: "{host}의 {model} 모델에 대본을 요청합니다." },
  SCENES_CUT: { en: "Only the first {most} scenes are used.", ko: "처음 {most}개 장면만 사용합니다." },
  RENDERING: {
    en: "Rendering {scenes} {scenes:scene|scenes}, {seconds} s.",
    ko: "장면 {scenes}개, {seconds}초 길이의 영상을 만듭니다.",
  },
  UPLOAD_CONTINUED: {
    en: "The upload continues where it stopped.",
    ko: "중단된 지점부터 업로드를 이어서 합니다.",
  },
  SERVICE_WAIT: { en: "{problem} Next try in {pause}.", ko: "{problem} {pause} 뒤에 다시 시도합니다." },
  PHASE_COMPLETED: {
    en: "Completed in {elapsed}; next: {next}.",
    ko: "{elapsed} 만에 완료했습니다. 다음 단계: {next}.",
  },
  TASK_COMPLETED: { en: "Completed in {elapsed}.", ko: "{elapsed} 만에 완료했습니다." },
  FAILED: { en: "{problem}", ko: "{problem}" },
  RETRIED: { en: "Retry {number}.", ko: "재시도 {number}회차입니다." },
  CANCELLED: { en: "Cancelled by {actor}.", ko: "{actor}이(가) 취소했습니다." },
  CANCELLED_WITH_REASON: {
    en: "Cancelled by {actor}: {reason}",
    ko: "{actor}이(가) 취소했습니다. 사유: {reason}",
  },
  NOTE: { en: "{text}", ko: "{text}" },
} as const satisfies Readonly<Record<string, Localized>>;

export type LogCode = keyof typeof LOG_TEXTS;

/** A line of the log before it is rendered in a language. */
export interface LogText {
  readonly code: LogCode;
  readonly details: Readonly<Record<string, unknown>>;
}

export const logText = (code: LogCode, details: LogText["details"] = {}): LogText => ({ code, details });

/** A log line in the reader's language. */
export function logMessage({ code, details }: LogText, language: Language): string {
  const facts = Object.entries(details).map(([name, detail]) => [name, shownFact(name, detail, language)]);
  return filledIn(LOG_TEXTS[code][language], Object.fromEntries(facts), () => "");
}

/** Whether this program knows the code of a line; another version may have written it. */
export function isLogCode(code: string): code is LogCode {
  return Object.hasOwn(LOG_TEXTS, code);
}

function shownFact(name: string, detail: unknown, language: Language): unknown {
  if (name === "elapsed" || name === "pause") return spanText(Number(detail), language);
  if (name === "next") return PHASE_NAMES[language][String(detail)] ?? detail;
  return shownDetail(detail, language);
}

function spanText(ms: number, language: Language): string {
  const [second, minute, hour] = language === "ko" ? ["초", "분", "시간"] : [" s", " min", " h"];
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)}${second}`;
  const seconds = Math.round(ms / 1_000);
  if (seconds >= 3_600)
    return `${Math.floor(seconds / 3_600)}${hour} ${Math.floor(seconds / 60) % 60}${minute}`;
  return `${Math.floor(seconds / 60)}${minute} ${seconds % 60}${second}`;
}

/** Why a phase failed, in both languages if the error has both. */
export function failureText({ error }: Pick<Job, "error">): LogText {
  if (!error) return logText("FAILED", { problem: { en: "Failed.", ko: "실패했습니다." } });
  const { code, texts } = error;
  if (!texts) return logText("FAILED", { problem: errorText(error) });
  const inLanguage = (language: Language) => errorText({ code, message: texts[language] });
  return logText("FAILED", { problem: { en: inLanguage("en"), ko: inLanguage("ko") } });
}
