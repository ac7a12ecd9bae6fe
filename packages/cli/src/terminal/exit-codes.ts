import type { Localized } from "../i18n/localized.ts";

/** How the command ends. Scripts rely on these: a number never changes its meaning. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  stopped: 10,
  degraded: 11,
  settings: 78,
  interrupted: 130,
} as const;

export const EXIT_MEANINGS: Record<keyof typeof EXIT, Localized> = {
  ok: { en: "it is done", ko: "성공" },
  refused: {
    en: "the server refused it, or it failed; for commands that check something: something is wrong, or differs",
    ko: "서버가 거부했거나 실패함. 점검하는 명령에서는 문제가 있거나 다른 것이 있음",
  },
  usage: { en: "the command was written wrongly", ko: "명령을 잘못 씀" },
  unreachable: { en: "no server answers there", ko: "서버에 연결할 수 없음" },
  notAllowed: {
    en: "no key, one that is not valid, or one without the permission (401, 403)",
    ko: "키가 없거나 올바르지 않거나 권한이 없음 (401, 403)",
  },
  notFound: { en: "there is no such thing (404)", ko: "찾을 수 없음 (404)" },
  conflict: { en: "its state does not allow it now (409)", ko: "현재 상태에서는 할 수 없음 (409)" },
  stopped: { en: "`status --exit-code`: a queue is stopped", ko: "`status --exit-code`: 정지된 큐가 있음" },
  degraded: {
    en: "`status --exit-code`: no queue is stopped, but one is degraded",
    ko: "`status --exit-code`: 정지된 큐는 없지만 대상 장애인 큐가 있음",
  },
  settings: {
    en: "the settings of this machine cannot be used, and starting again changes nothing",
    ko: "이 컴퓨터의 설정을 사용할 수 없음. 다시 시작해도 달라지지 않음",
  },
  interrupted: { en: "interrupted by Ctrl-C or a signal", ko: "Ctrl-C 또는 신호로 중단됨" },
};
