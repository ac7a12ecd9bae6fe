import { type AndonError, type Language, shownDetail } from "./errors.ts";

/** An error as the API answers it: RFC 9457, with `statusCode`, `error`, `message` and `details` beside its members. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  statusCode: number;
  /** The code; it never changes with the language. */
  error: string;
  message: string;
  details: unknown;
  traceId: string;
}

const TITLES: Record<number, { en: string; ko: string }> = {
  400: { en: "Bad request", ko: "잘못된 요청" },
  401: { en: "Not signed in", ko: "인증 필요" },
  403: { en: "Not allowed", ko: "권한 없음" },
  404: { en: "Not found", ko: "찾을 수 없음" },
  408: { en: "Timed out", ko: "시간 초과" },
  409: { en: "Conflict", ko: "충돌" },
  412: { en: "Precondition failed", ko: "전제 조건 불일치" },
  413: { en: "Too large", ko: "너무 큼" },
  414: { en: "Path too long", ko: "경로가 너무 김" },
  415: { en: "Unsupported media type", ko: "지원하지 않는 형식" },
  416: { en: "Range not satisfiable", ko: "범위를 벗어남" },
  429: { en: "Too many requests", ko: "요청이 너무 많음" },
  500: { en: "Internal error", ko: "내부 오류" },
  503: { en: "Unavailable", ko: "사용할 수 없음" },
};

export function problemOf(
  error: AndonError,
  at: { instance: string; traceId: string; language: Language },
): Problem {
  const message = error.in(at.language);
  return {
    type: `urn:andon:error:${error.code}`,
    title: TITLES[error.status]?.[at.language] ?? error.code,
    status: error.status,
    detail: message,
    instance: at.instance,
    statusCode: error.status,
    error: error.code,
    message,
    details: Object.fromEntries(
      Object.entries(error.details).map(([name, detail]) => [name, shownDetail(detail, at.language)]),
    ),
    traceId: at.traceId,
  };
}

/** The language of an answer; Korean where the header asks for neither Korean nor English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: { language: Language; weight: number } | undefined;
  for (const part of (acceptLanguage ?? "").split(",")) {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const language = tag.split("-")[0];
    if (language !== "ko" && language !== "en") continue;
    const quality = parameters.map((text) => text.trim()).find((text) => text.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    if (weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? "ko";
}

/** The language of a process by its environment; English where that does not say Korean. */
export function languageOfLocale({
  LC_ALL,
  LANG,
}: {
  readonly LC_ALL?: string | undefined;
  readonly LANG?: string | undefined;
}): Language {
  return /^ko([_.@-]|$)/i.test(LC_ALL || LANG || "") ? "ko" : "en";
}
