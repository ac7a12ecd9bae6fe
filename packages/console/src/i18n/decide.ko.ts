import type { decideEn } from "./decide.en.ts";

const n = (count: number) => count.toLocaleString("ko");

export const decideKo: typeof decideEn = {
  rehearsal: {
    title: "재개 전 점검",
    again: "다시 점검",
    checkedAt: "점검 시각",
    destination: "대상",
    answers: (ms) => `응답함 (${n(ms)} ms)`,
    away: (problem) => `응답하지 않음: ${problem}`,
    unasked: "점검 안 함: 이 큐에는 대상을 확인하는 방법이 없습니다",
    toEmpty: "소진 예상 시간",
    roughly: (span) => `약 ${span}`,
    unknownTime: "알 수 없음: 아직 처리 이력이 없습니다",
    next: "다음 작업 (순서대로)",
    nothingWaits: "대기 중인 작업이 없습니다.",
    noChecks: "사전 점검 없음",
    passes: "통과",
    willFail: "실패 예상",
    allFailAgain: "대상이 응답하지 않습니다. 지금 재개하면 시작하는 작업이 모두 다시 실패합니다.",
    someWillFail: (failing, of) => `지금 상태로는 다음 작업 ${n(of)}개 중 ${n(failing)}개가 실패합니다.`,
    stillAllowed: "그래도 재개할 수 있습니다.",
  },
  ramp: {
    choice: "재개 방법",
    fully: "한 번에 모두",
    fullyHint: "대기 작업이 모두 시작할 수 있습니다.",
    waves: "단계별: 1개, 10개, 100개 순서로",
    wavesHint: "앞 단계가 모두 끝나야 다음 단계가 시작합니다. 한 번이라도 실패하면 큐가 다시 정지합니다.",
    effect: "한꺼번에 시작하지 않고 1개, 10개, 100개, 나머지 순서로 시작합니다.",
    effectStops:
      "첫 실패가 나오면 큐가 다시 정지합니다. 실패한 작업은 자리를 지키고 시도 횟수를 쓰지 않습니다.",
    title: "단계별 재개 중",
    wave: (wave, of) => `${n(of)}단계 중 ${n(wave)}단계`,
    size: (size) => `최대 작업 ${n(size)}개`,
    started: "시작",
    done: "완료",
    failed: "실패",
    after: "마지막 단계가 끝나면 모든 작업이 시작할 수 있습니다.",
    stopped: "단계별 재개가 실패로 중단되었습니다",
    stoppedBy: "이 작업이 해당 단계에서 실패했습니다. 원래 자리로 돌아갔고 시도 횟수는 쓰지 않았습니다.",
  },
  cause: {
    before: "이전 조치와 결과",
    retried: (retried, worked) => `${n(retried)}번 재시도, ${n(worked)}번 성공`,
    skipped: (skipped) => `${n(skipped)}번 건너뜀`,
    last: { retry: "최근: 재시도", skip: "최근: 건너뛰기" },
    worked: "성공",
    failedAgain: "다시 실패",
    of: {
      retry: (count, code) => `${code} 실패 작업 ${n(count)}개 재시도`,
      skip: (count, code) => `${code} 실패 작업 ${n(count)}개 건너뛰기`,
    },
  },
};
