import type { Localized } from "./localized.ts";

/** Texts of the help that more than one command uses, and those of the help itself. */
export const HELP = {
  alertId: { en: "the alert's id, as `andon alerts` shows it", ko: "알림 ID. `andon alerts`에 나옵니다" },
  program: {
    en: "Operates Andon: shows queues and jobs, decides about failed jobs, resumes stopped queues.",
    ko: "Andon을 운영합니다. 큐와 작업을 살펴보고, 실패한 작업을 어떻게 할지 결정하고, 정지한 라인을 재개합니다.",
  },
  url: {
    en: "the address of the server. Default: ANDON_URL, else http://127.0.0.1:8400",
    ko: "서버 주소. 기본값: ANDON_URL, 없으면 http://127.0.0.1:8400",
  },
  token: {
    en: "the admin token, an API key or a JWT. Default: ANDON_TOKEN, else admin.key in the data folder for a server on this machine",
    ko: "관리자 토큰, API 키 또는 JWT. 기본값: ANDON_TOKEN, 없으면 이 컴퓨터의 서버에 한해 데이터 폴더의 admin.key",
  },
  lang: {
    en: "the language of messages, ko or en. Default: by LC_ALL, else LANG",
    ko: "메시지 언어, ko 또는 en. 기본값: LC_ALL, 없으면 LANG",
  },
  json: {
    en: "write the server's answer as JSON, for programs",
    ko: "서버의 응답을 JSON으로 그대로 출력 (프로그램용)",
  },
  noColor: {
    en: "no colours. NO_COLOR does the same",
    ko: "색을 쓰지 않음. NO_COLOR와 같음",
  },
  help: { en: "show this help", ko: "이 도움말 보기" },
  helpCommand: { en: "show the help of a command", ko: "명령의 도움말 보기" },
  version: { en: "show the version", ko: "버전 보기" },
  example: { en: "Example:", ko: "예:" },
  noDefaultQueue: { en: "none", ko: "없음" },
  queueArgument: { en: "the queue. Default: {queue}", ko: "큐 이름. 기본값: {queue}" },
  queueOption: { en: "the queue. Default: {queue}", ko: "큐 이름. 기본값: {queue}" },
  job: { en: "the job's ticket or UUID", ko: "작업 번호 또는 UUID" },
  jobs: { en: "tickets or UUIDs of jobs", ko: "작업 번호 또는 UUID (여러 개 가능)" },
  laneKey: { en: "the lane's key", ko: "레인 키" },
  reason: { en: "why; kept in the audit log", ko: "사유. 감사 로그에 남습니다" },
  reasonRequired: { en: "why (required); kept in the audit log", ko: "사유 (필수). 감사 로그에 남습니다" },
  page: { en: "which page, from 1", ko: "쪽 번호, 1부터" },
  limit: { en: "how many on a page, at most 100. Default: 20", ko: "한 쪽의 개수, 최대 100. 기본값: 20" },
  filterState: { en: "only jobs in this state", ko: "이 상태의 작업만" },
  filterQueue: { en: "only jobs of this queue", ko: "이 큐의 작업만" },
  filterKey: { en: "only jobs with this lane key", ko: "이 레인 키의 작업만" },
  filterName: { en: "only jobs of this kind", ko: "이 종류의 작업만" },
  laneTenant: {
    en: "the tenant of the lane. Default: the caller's tenant, else default",
    ko: "레인의 테넌트. 기본값: 호출자의 테넌트, 없으면 default",
  },
  filterTenant: { en: "only jobs of this tenant", ko: "이 테넌트의 작업만" },
  filterFrom: {
    en: "only jobs added at this time (ISO 8601, UTC) or later",
    ko: "이 시각(ISO 8601, UTC)부터 추가된 작업만",
  },
  filterTo: {
    en: "only jobs added before this time (ISO 8601, UTC)",
    ko: "이 시각(ISO 8601, UTC) 전에 추가된 작업만",
  },
  filterFingerprint: {
    en: "only jobs whose last error has this fingerprint",
    ko: "마지막 오류의 지문이 이것인 작업만",
  },
  filterCode: { en: "only jobs whose last error has this code", ko: "마지막 오류의 코드가 이것인 작업만" },
  filterText: {
    en: "only jobs with this text in the id, ticket, kind, key or error message",
    ko: "ID, 번호, 종류, 키, 오류 메시지에 이 글자가 있는 작업만",
  },
  config: {
    en: "the configuration file. Default: ANDON_CONFIG, else andon.config.* here",
    ko: "설정 파일. 기본값: ANDON_CONFIG, 없으면 이 폴더의 andon.config.*",
  },
  yes: { en: "do not ask", ko: "묻지 않음" },
  dryRun: { en: "only show what would happen", ko: "어떻게 될지만 보여 줌" },
  ramp: {
    en: "in waves of 1, 10 and 100 jobs; the first failed attempt stops the queue again",
    ko: "1개, 10개, 100개씩 단계적으로. 시도가 하나라도 실패하면 큐가 다시 정지합니다",
  },
  waves: { en: "in waves of these sizes, such as 1,5,50", ko: "이 개수씩 단계적으로. 예: 1,5,50" },
  planId: { en: "the plan's id", ko: "계획 ID" },
  scheduleName: { en: "the schedule's name", ko: "스케줄 이름" },
} as const satisfies Record<string, Localized>;

/** Titles of the parser's own help. */
export const HELP_TITLES: Readonly<Record<string, string>> = {
  "Usage:": "사용법:",
  "Arguments:": "인수:",
  "Options:": "옵션:",
  "Global Options:": "공통 옵션:",
  "Commands:": "명령:",
};

/** Heads under which the help lists the commands. */
export const SECTIONS = {
  look: { en: "Look:", ko: "살펴보기:" },
  line: { en: "Decide about a queue:", ko: "큐 결정:" },
  jobs: { en: "Decide about jobs:", ko: "작업 결정:" },
  calls: { en: "Alerts and schedules:", ko: "알림과 스케줄:" },
  access: { en: "Access and audit:", ko: "접근 권한과 감사:" },
  machine: { en: "This machine:", ko: "이 컴퓨터:" },
  app: { en: "App {app}:", ko: "앱 {app}:" },
} as const satisfies Record<string, Localized>;

/** What a group of the core's commands is about. */
export const GROUPS = {
  operations: {
    en: "Decisions over many jobs: list, show, cancel",
    ko: "여러 작업에 대한 결정: 목록, 보기, 중단",
  },
  lane: {
    en: "Holds or releases one lane, or cancels its waiting jobs",
    ko: "레인 하나를 보류하거나 해제하거나, 대기 작업을 취소합니다",
  },
  keys: { en: "API keys: list, create, revoke, permissions", ko: "API 키: 목록, 생성, 폐기, 권한" },
  sessions: { en: "Logins of the console: list, end", ko: "콘솔 로그인: 목록, 종료" },
  audit: { en: "The audit log: list, verify", ko: "감사 로그: 목록, 검증" },
  alerts: { en: "Alerts: list, acknowledge, snooze, test", ko: "알림: 목록, 확인, 미루기, 시험" },
  schedules: { en: "Schedules: list, activate, deactivate", ko: "스케줄: 목록, 활성화, 비활성화" },
  config: { en: "The settings of a server on this machine", ko: "이 컴퓨터의 서버 설정" },
} as const satisfies Record<string, Localized>;
