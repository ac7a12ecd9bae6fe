import type { Localized } from "@andon/cli/app";

/** The texts of the commands about bulk jobs. */
export const BULK = {
  jobId: { en: "the bulk job's id", ko: "대량 작업 ID" },
  id: { en: "Job", ko: "작업" },
  category: { en: "Category", ko: "카테고리" },
  title: { en: "Title", ko: "제목" },
  state: { en: "State", ko: "상태" },
  progress: { en: "Progress", ko: "진행" },
  rate: { en: "Per second", ko: "초당" },
  endsAt: { en: "Estimated end", ko: "예상 종료" },
  scheduled: { en: "Scheduled for", ko: "예약 시각" },
  cursor: { en: "Cursor", ko: "커서" },
  chunkSize: { en: "Chunk size", ko: "청크 크기" },
  throttle: { en: "Throttle", ko: "속도 제한" },
  throttleOf: {
    en: "pause {pause} ms, at most {most} per second",
    ko: "청크 사이 {pause}ms 쉼, 초당 최대 {most}",
  },
  noCeiling: { en: "any number", ko: "제한 없음" },
  abort: { en: "Abort", ko: "중단 요청" },
  receipt: { en: "Receipt", ko: "중단 결과" },
  receiptOf: {
    en: "{outcome} at {at}, {processed} of {total} recipients, cursor {cursor}",
    ko: "{at}에 {outcome}, 수신자 {total} 중 {processed}, 커서 {cursor}",
  },
  error: { en: "Error", ko: "오류" },
  willAbort: {
    en: "{id} is {state}: it stops within {seconds} s, at the end of its chunk.",
    ko: "{id}: {state}. {seconds}초 안에 현재 청크가 끝나면 멈춥니다.",
  },
  notRecorded: {
    en: "The database does not answer: the abort flag is set, and the abort is recorded later.",
    ko: "데이터베이스가 응답하지 않아 중단 플래그만 설정했습니다. 기록은 나중에 남습니다.",
  },
  resumed: { en: "{id} is {state}.", ko: "{id}: {state}." },
  throttled: { en: "{id}: {throttle}.", ko: "{id}: {throttle}." },
  nothingToChange: {
    en: "Say what to change: --pause, --max-per-second or --unlimited.",
    ko: "바꿀 것을 지정하세요: --pause, --max-per-second 또는 --unlimited.",
  },
  deleted: {
    en: "{id} is deleted. Its notifications stay.",
    ko: "{id}을(를) 삭제했습니다. 알림은 남습니다.",
  },
  watching: {
    en: "{bar} {processed}/{total}  {rate}/s  end {end}  {state}",
    ko: "{bar} {processed}/{total}  초당 {rate}  종료 {end}  {state}",
  },
  goesOn: { en: "The job goes on at the server.", ko: "작업은 서버에서 계속됩니다." },
  redisAnswers: { en: "Redis answers: {place}", ko: "Redis 응답함: {place}" },
  redisAway: { en: "Redis does not answer: {problem}", ko: "Redis가 응답하지 않습니다: {problem}" },
  redisTodo: {
    en: "Aborts go through the database alone until it answers. Check redisUrl and the server.",
    ko: "응답할 때까지 중단 요청은 데이터베이스로만 전달됩니다. redisUrl과 Redis 서버를 확인하세요.",
  },
} as const satisfies Record<string, Localized>;
