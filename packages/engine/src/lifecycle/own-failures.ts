import { filledIn, type Localized } from "@andon/contract";

/** The messages of failures that no handler threw: the engine itself ended the attempt. */
const OWN_FAILURES = {
  STALLED: {
    en: "lost by dying workers {times} times in a row",
    ko: "작업하던 워커가 연달아 {times}번 죽어 작업을 잃었습니다",
  },
  RESULT_REFUSED: {
    en: "the store refused what the handler returned: {message}",
    ko: "저장소가 핸들러의 결과를 거부했습니다: {message}",
  },
  PARK_EXPIRED: {
    en: 'the event "{event}" did not come in time',
    ko: '이벤트 "{event}"이(가) 제때 오지 않았습니다',
  },
  PARK_REFUSED: { en: "a roll-back cannot park", ko: "되돌리기 중에는 파킹할 수 없습니다" },
  NO_END: { en: "no end after {ms} ms", ko: "{ms}ms 안에 끝나지 않았습니다" },
  NO_PROGRESS: { en: "no progress for {ms} ms", ko: "{ms}ms 동안 진행이 없었습니다" },
} as const satisfies Readonly<Record<string, Localized>>;

/** The message is stored with the job in both languages, and each reader sees their own. */
export function ownFailure(
  name: keyof typeof OWN_FAILURES,
  facts: Readonly<Record<string, number | string>>,
): Localized {
  const { en, ko } = OWN_FAILURES[name];
  return { en: filledIn(en, facts), ko: filledIn(ko, facts) };
}
