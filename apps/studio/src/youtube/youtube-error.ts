import { Unretryable } from "@andon/engine";
import { ServiceWait } from "../phases/service-wait.ts";

/** The Data API refused for a reason that a later retry cannot fix. */
export class YoutubeRefused extends Unretryable {
  override readonly name = "YoutubeRefused";
  readonly code = "YOUTUBE_REFUSED";
  readonly localized: { en: string; ko: string };

  constructor(problem: string, options?: { cause?: unknown }) {
    const en = `YouTube refused the upload: ${problem}`;
    super(en, options);
    this.localized = { en, ko: `YouTube가 업로드를 거부했습니다: ${problem}` };
  }
}

/** Quotas of the Data API reset at midnight in this time zone. */
const QUOTA_ZONE = "America/Los_Angeles";
const QUOTA_REASONS: ReadonlySet<string> = new Set([
  "quotaExceeded",
  "dailyLimitExceeded",
  "uploadLimitExceeded",
]);
const RATE_REASONS: ReadonlySet<string> = new Set(["rateLimitExceeded", "userRateLimitExceeded"]);
const QUOTA_USED = {
  en: "The YouTube quota of today is used up.",
  ko: "오늘의 YouTube 할당량을 모두 썼습니다.",
};
const TOO_MANY = {
  en: "YouTube asks for fewer requests.",
  ko: "YouTube가 요청을 줄이라고 합니다.",
};
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface Refusal {
  readonly error?: { readonly message?: string; readonly errors?: readonly { readonly reason?: string }[] };
}

/** Turns an unsuccessful answer into an error: wait, or give up. */
export async function refusalOf(response: Response, now: number): Promise<Error> {
  const text = (await response.text()).slice(0, 4_000);
  const { error } = refusalIn(text);
  const reason = error?.errors?.[0]?.reason ?? "";
  if (QUOTA_REASONS.has(reason)) return new ServiceWait(untilQuotaReset(now), QUOTA_USED);
  if (response.status === 429 || RATE_REASONS.has(reason)) {
    const seconds = Number(response.headers.get("retry-after"));
    return new ServiceWait(seconds > 0 ? seconds * 1_000 : MINUTE, TOO_MANY);
  }
  return new YoutubeRefused(`${response.status} ${error?.message ?? reason ?? text.slice(0, 200)}`);
}

function refusalIn(text: string): Refusal {
  try {
    return (JSON.parse(text) ?? {}) as Refusal;
  } catch {
    return {};
  }
}

/** Milliseconds until the next midnight in California, plus a minute. */
export function untilQuotaReset(now: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: QUOTA_ZONE,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(now);
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const sinceMidnight =
    numberOf("hour") * 60 * MINUTE + numberOf("minute") * MINUTE + numberOf("second") * 1_000;
  return DAY - sinceMidnight + MINUTE;
}
