import type { Language, Localized } from "@andon/contract";

/** Builds a text in both languages with one function. */
export function inBoth(text: (language: Language) => string): Localized {
  return { en: text("en"), ko: text("ko") };
}

/** The words for kinds of values, by their names in schemas. */
export const KINDS: Readonly<Record<string, Localized>> = {
  string: { en: "text", ko: "문자열" },
  number: { en: "a number", ko: "숫자" },
  int: { en: "a whole number", ko: "정수" },
  boolean: { en: "true or false", ko: "true 또는 false" },
  array: { en: "a list", ko: "목록" },
  object: { en: "an object", ko: "객체" },
  record: { en: "an object", ko: "객체" },
  function: { en: "a function", ko: "함수" },
  URL: { en: "the URL of a module", ko: "모듈의 URL" },
};

type Bound = "least" | "most";

const SIZES: Readonly<Record<string, Localized>> = {
  string: { en: " characters", ko: "자" },
  array: { en: " entries", ko: "개" },
};

/** The text for a limit of a number or of a size. */
export const LIMITS: Readonly<
  Record<Language, (bound: Bound, limit: number | bigint, origin: string) => string>
> = {
  en: (bound, limit, origin) => `at ${bound} ${limit}${SIZES[origin]?.en ?? ""}`,
  ko: (bound, limit, origin) => `${limit}${SIZES[origin]?.ko ?? ""} ${bound === "least" ? "이상" : "이하"}`,
};

export const JOINED: Readonly<Record<"and" | "or", Localized>> = {
  and: { en: ", and ", ko: ", 그리고 " },
  or: { en: ", or ", ko: ", 또는 " },
};

/** The part of the sentence before the list of allowed values. */
export const GIVEN: Readonly<Record<"missing" | "secret" | "badName", Localized>> = {
  missing: { en: "is missing", ko: "값이 없습니다" },
  secret: { en: "is not shown", ko: "값은 표시하지 않습니다" },
  badName: { en: "is not a name that can be used here", ko: "여기에 쓸 수 없는 이름입니다" },
};

export const givenValue: Readonly<Record<Language, (shown: string) => string>> = {
  en: (shown) => `is ${shown}`,
  ko: (shown) => `값이 ${shown}입니다`,
};

export const AND_ALLOWED: Localized = { en: "; allowed: ", ko: ". 허용되는 값: " };

/** The Korean words for the places of problems that are not files. */
const KOREAN_PLACES: Readonly<Record<string, string>> = { environment: "환경 변수", settings: "설정" };

/** A problem in one line. In English the key is the subject of the sentence. */
export const LINES: Readonly<Record<Language, (where: string, key: string, text: string) => string>> = {
  en: (where, key, text) => `${where}: ${key ? `${key} ` : ""}${text}`,
  ko: (where, key, text) => `${KOREAN_PLACES[where] ?? where}: ${key ? `${key}: ` : ""}${text}`,
};
