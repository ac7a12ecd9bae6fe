import type { Localized } from "./localized.ts";

/** What to do after a refusal, if a command helps. */
export const HINTS: Readonly<Record<string, Localized>> = {
  UNAUTHENTICATED: {
    en: "The key is not valid: give another with --token or ANDON_TOKEN.",
    ko: "키가 올바르지 않습니다. --token 또는 ANDON_TOKEN으로 다른 키를 주세요.",
  },
  FORBIDDEN: {
    en: "Ask an administrator for a key with this permission (`andon keys create`).",
    ko: "관리자에게 이 권한이 있는 키를 요청하세요 (`andon keys create`).",
  },
  QUEUE_NOT_FOUND: { en: "List the queues: andon queues", ko: "큐 목록: andon queues" },
  JOB_NOT_FOUND: {
    en: "After a retry a job has a new ticket. Look for it with: andon jobs --text <text>",
    ko: "재시도하면 번호가 새로 바뀝니다. 찾기: andon jobs --text <글자>",
  },
  LANE_NOT_FOUND: { en: "List the lanes: andon lanes <queue>", ko: "레인 목록: andon lanes <큐>" },
  STOP_NOT_FOUND: {
    en: "List the stops: andon stops <queue>",
    ko: "정지 기록 목록: andon stops <큐>",
  },
  SCHEDULE_NOT_FOUND: {
    en: "List the schedules: andon schedules",
    ko: "스케줄 목록: andon schedules",
  },
  SESSION_NOT_FOUND: { en: "List the logins: andon sessions", ko: "열린 로그인: andon sessions" },
  KEY_NOT_FOUND: { en: "List the keys: andon keys", ko: "키 목록: andon keys" },
  JOB_STATE: {
    en: "See what is possible now: andon show <job>",
    ko: "지금 할 수 있는 일: andon show <작업>",
  },
  LANE_HELD_BY_FAILURE: {
    en: "Use: andon retry <job>, or andon skip <job> --reason …",
    ko: "사용: andon retry <작업> 또는 andon skip <작업> --reason …",
  },
  RESUME_UNRESOLVED: {
    en: "See them with `andon failed`; then `andon retry`, `andon skip` or `andon skip-all-and-resume`.",
    ko: "`andon failed`로 확인하고 `andon retry`, `andon skip` 또는 `andon skip-all-and-resume`을 쓰세요.",
  },
  PLAN_STALE: { en: "Plan again: andon plan …", ko: "다시 계획: andon plan …" },
  PLAN_USED: { en: "Plan again: andon plan …", ko: "다시 계획: andon plan …" },
  PLAN_TOO_LARGE: {
    en: "Narrow it with --key, --name, --from or --to.",
    ko: "--key, --name, --from, --to로 좁히세요.",
  },
  STORE_UNAVAILABLE: { en: "Find the cause with: andon doctor", ko: "원인 확인: andon doctor" },
  INTERNAL: { en: "The server's log has the error.", ko: "서버 로그에서 오류를 확인하세요." },
};

/** What to do if the server does not have the routes of an app's command. */
export const NO_APP: Localized = {
  en: "This server does not run the app {app}: its settings switch it off, or its program does not have it.",
  ko: "이 서버는 앱 {app}을(를) 실행하지 않습니다. 설정에서 꺼져 있거나 프로그램에 없습니다.",
};
