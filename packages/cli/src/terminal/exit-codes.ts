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
  ok: { en: "success", ko: "성공" },
  refused: {
    en: "the server refused the command, or it failed; for a command that checks something: it found a problem or a difference",
    ko: "서버가 거부했거나 실패함. 점검하는 명령이면 문제나 차이를 찾음",
  },
  usage: { en: "invalid command line", ko: "명령줄이 올바르지 않음" },
  unreachable: { en: "no server answers at the address", ko: "서버에 연결할 수 없음" },
  notAllowed: {
    en: "no key, an invalid key, or a key without the permission (401, 403)",
    ko: "키가 없거나 올바르지 않거나 권한이 없음 (401, 403)",
  },
  notFound: { en: "not found (404)", ko: "찾을 수 없음 (404)" },
  conflict: { en: "the present state does not allow it (409)", ko: "현재 상태에서는 할 수 없음 (409)" },
  stopped: { en: "`status --exit-code`: a queue is stopped", ko: "`status --exit-code`: 정지된 큐가 있음" },
  degraded: {
    en: "`status --exit-code`: no queue is stopped, but one is degraded",
    ko: "`status --exit-code`: 정지된 큐는 없지만 대상 장애인 큐가 있음",
  },
  settings: {
    en: "the settings of this machine cannot be used; another start with the same settings fails too",
    ko: "이 컴퓨터의 설정을 사용할 수 없음. 설정을 고치기 전에는 다시 시작해도 같음",
  },
  interrupted: { en: "interrupted by Ctrl-C or a signal", ko: "Ctrl-C 또는 신호로 중단됨" },
};
