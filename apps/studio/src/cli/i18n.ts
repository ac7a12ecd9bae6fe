import type { Localized } from "@andon/cli/app";

/** The texts of the commands about film tasks. */
export const TASK = {
  taskId: { en: "the task's id", ko: "작업 ID" },
  id: { en: "Task", ko: "작업" },
  title: { en: "Title", ko: "제목" },
  phase: { en: "Phase", ko: "단계" },
  status: { en: "Status", ko: "상태" },
  priority: { en: "Priority", ko: "우선순위" },
  scheduled: { en: "Scheduled for", ko: "예약 시각" },
  user: { en: "User", ko: "사용자" },
  error: { en: "Error", ko: "오류" },
  retries: { en: "Retries", ko: "재시도" },
  retriesOf: { en: "{retryCount} (allowed: {maxRetries})", ko: "{retryCount}번 (허용 {maxRetries}번)" },
  progress: { en: "Progress", ko: "진행" },
  waitsFor: { en: "Waits for", ko: "대기 대상" },
  imagesUntil: { en: "images, until {until}", ko: "이미지, {until}까지" },
  serviceUntil: { en: "a busy service, next try {until}", ko: "바쁜 서비스, 다음 시도 {until}" },
  imagesAnyTime: { en: "images", ko: "이미지" },
  images: { en: "Images", ko: "이미지" },
  film: { en: "Film", ko: "영상" },
  elapsed: { en: "At work", ko: "작업 시간" },
  started: { en: "Started", ko: "시작" },
  finished: { en: "Ended", ko: "종료" },
  log: { en: "Log", ko: "로그" },
  made: { en: "{taskId} is {type}/{status}.", ko: "{taskId}: {type}/{status}." },
  titleBlank: { en: "The title must not be blank.", ko: "제목을 입력하세요." },
  nextWatch: { en: "Follow it: andon task watch {taskId}", ko: "진행 보기: andon task watch {taskId}" },
  retried: {
    en: "{taskId} is {type}/{status}, retry {retryCount}.",
    ko: "{taskId}: {type}/{status}, {retryCount}번째 재시도.",
  },
  cancelling: {
    en: "{taskId}: its work is being stopped; it always ends cancelled.",
    ko: "{taskId}: 진행 중인 일을 멈추고 있습니다. 반드시 취소로 끝납니다.",
  },
  deleted: {
    en: "{taskId} is deleted with all its files.",
    ko: "{taskId}을(를) 모든 파일과 함께 삭제했습니다.",
  },
  deleteWhat: {
    en: 'This deletes "{title}" ({type}/{status}) with its script, images, film and log for good.',
    ko: '"{title}"({type}/{status})을(를) 대본, 이미지, 영상, 로그와 함께 완전히 삭제합니다.',
  },
  notDeleted: { en: "Nothing was deleted.", ko: "아무것도 삭제하지 않았습니다." },
  added: {
    en: "{count} added: the task has {total} images and is {type}/{status}.",
    ko: "{count}개 추가: 이미지는 모두 {total}개, {type}/{status}.",
  },
  imagesMixed: {
    en: "Give either files or web addresses, not both in one command.",
    ko: "파일과 웹 주소를 한 명령에 섞을 수 없습니다.",
  },
  fileUnreadable: { en: "{file} cannot be read: {problem}", ko: "{file}을(를) 읽을 수 없습니다: {problem}" },
  goesOn: { en: "The task goes on at the server.", ko: "작업은 서버에서 계속됩니다." },
  programGood: { en: "{program} works: {version}", ko: "{program} 사용 가능: {version}" },
  programMissing: { en: "{program} is missing: {what}", ko: "{program}이(가) 없습니다: {what}" },
  programBroken: {
    en: "{program} does not run: {problem}",
    ko: "{program}이(가) 실행되지 않습니다: {problem}",
  },
  withoutFfmpeg: { en: "films cannot be rendered", ko: "영상을 만들 수 없습니다" },
  withoutFfprobe: { en: "films cannot be checked", ko: "영상을 검사할 수 없습니다" },
  withoutEspeak: { en: "tasks with speech fail", ko: "음성이 있는 작업이 실패합니다" },
  ffmpegTodo: {
    en: "Debian, Ubuntu: apt-get install ffmpeg. macOS: brew install ffmpeg. Or set {setting} to its path.",
    ko: "Debian, Ubuntu: apt-get install ffmpeg. macOS: brew install ffmpeg. 또는 {setting}에 경로를 설정하세요.",
  },
  espeakTodo: {
    en: "Debian, Ubuntu: apt-get install espeak-ng. macOS: brew install espeak-ng. Or set {setting} to its path.",
    ko: "Debian, Ubuntu: apt-get install espeak-ng. macOS: brew install espeak-ng. 또는 {setting}에 경로를 설정하세요.",
  },
  fontGood: { en: "Font for subtitles: {font}", ko: "자막 글꼴: {font}" },
  fontMissing: {
    en: 'The font "{font}" is not installed; subtitles use {used} instead',
    ko: '글꼴 "{font}"이(가) 없어 자막에 {used}을(를) 대신 씁니다',
  },
  noKoreanFont: {
    en: "No font with Korean characters is installed: Korean subtitles show boxes",
    ko: "한글 글꼴이 없습니다. 한글 자막이 네모로 나옵니다",
  },
  fontTodo: {
    en: "Debian, Ubuntu: apt-get install fonts-noto-cjk. Or set studio.video.font to a font with Korean characters.",
    ko: "Debian, Ubuntu: apt-get install fonts-noto-cjk. 또는 studio.video.font에 한글 글꼴을 설정하세요.",
  },
} as const satisfies Record<string, Localized>;
