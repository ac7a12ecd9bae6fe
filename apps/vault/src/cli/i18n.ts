import type { Localized } from "@andon/cli/app";

/** The texts of the commands about files and the NAS. */
export const VAULT = {
  fileId: { en: "the file's id", ko: "파일 ID" },
  file: { en: "File", ko: "파일" },
  path: { en: "Path", ko: "경로" },
  failedOperation: { en: "Failed operation", ko: "실패한 작업" },
  waitingBehind: { en: "Behind it", ko: "뒤에 대기" },
  choice: { en: "Choice", ko: "선택" },
  endsAt: { en: "Ends at", ko: "최종 위치" },
  right: { en: "Right place", ko: "일치" },
  operations: { en: "Operations", ko: "작업" },
  databasePath: { en: "Should lie at", ko: "있어야 할 위치" },
  nasPath: { en: "Lies at", ko: "현재 위치" },
  occupied: { en: "In the way", ko: "그 자리에 있는 것" },
  occupiedByFile: {
    en: "another file at {path} ({size} B): a retry fails again while it lies there",
    ko: "{path}에 다른 파일({size} B). 그대로 있으면 재시도는 다시 실패합니다",
  },
  occupiedByFolder: {
    en: "a folder at {path}: a retry fails again while it lies there",
    ko: "{path}에 폴더. 그대로 있으면 재시도는 다시 실패합니다",
  },
  occupiedByOther: {
    en: "something else at {path}: a retry fails again while it lies there",
    ko: "{path}에 다른 항목. 그대로 있으면 재시도는 다시 실패합니다",
  },
  nowhere: { en: "nowhere", ko: "없음" },
  yes: { en: "yes", ko: "예" },
  no: { en: "NO", ko: "아니요" },
  availability: { en: "On the NAS: {availability}", ko: "NAS 상태: {availability}" },
  expected: { en: "Expected", ko: "기대" },
  found: { en: "Found", ko: "실제" },
  repair: { en: "Repair", ko: "복구 방법" },
  comparing: {
    en: "Comparing: {files} {files:file|files} so far, {findings} {findings:finding|findings}",
    ko: "비교 중: 파일 {files}개, 발견 {findings}개",
  },
  goesOn: {
    en: "The comparison goes on at the server: andon vault verify --follow",
    ko: "비교는 서버에서 계속됩니다: andon vault verify --follow",
  },
  verifiedSizes: {
    en: "Compared {files} {files:file|files} by size with cache and NAS: {findings} {findings:finding|findings}.",
    ko: "파일 {files}개를 캐시·NAS와 크기로 비교: 발견 {findings}개.",
  },
  verifiedBytes: {
    en: "Compared {files} {files:file|files} byte by byte with cache and NAS: {findings} {findings:finding|findings}.",
    ko: "파일 {files}개를 캐시·NAS와 바이트 단위로 비교: 발견 {findings}개.",
  },
  leftOut: {
    en: "{count} {count:file was|files were} not compared: held or under way.",
    ko: "비교하지 않은 파일 {count}개: 보류 중이거나 처리 중입니다.",
  },
  verifyFailed: { en: "The comparison failed: {problem}", ko: "비교에 실패했습니다: {problem}" },
  repairWith: {
    en: "{count} of those shown can be repaired: andon vault verify --follow --repair",
    ko: "표시된 것 중 {count}개를 복구할 수 있습니다: andon vault verify --follow --repair",
  },
  repairing: {
    en: "Repairs are queued for what can be repaired; unknown files stay as they are.",
    ko: "복구할 수 있는 것의 복구를 큐에 넣습니다. 알 수 없는 파일은 그대로 둡니다.",
  },
  repaired: {
    en: "{queued} {queued:repair is|repairs are} queued, {left} {left:finding is|findings are} left.",
    ko: "복구 {queued}건을 큐에 넣었습니다. 남은 것 {left}개.",
  },
  nasAddress: { en: "NAS", ko: "NAS" },
  nasMark: { en: "Mark", ko: "표식" },
  nasEntries: { en: "In its root", ko: "루트의 항목" },
  nasEntriesUnknown: { en: "cannot be read", ko: "읽을 수 없음" },
  markOurs: {
    en: "there, the one that the store remembers",
    ko: "있음. 저장소에 기록된 것과 같음",
  },
  markOther: {
    en: "there, but another one than the store remembers",
    ko: "있음. 저장소에 기록된 것과 다름",
  },
  markUnremembered: {
    en: "there; the store has never known this NAS",
    ko: "있음. 저장소는 이 NAS를 아직 모름",
  },
  markMissing: {
    en: "not there, though the store remembers one: an unmounted share looks like this",
    ko: "없음. 저장소에는 기록되어 있음. 마운트되지 않은 공유도 이렇게 보입니다",
  },
  markNone: {
    en: "not there; the store has never known this NAS",
    ko: "없음. 저장소는 이 NAS를 아직 모름",
  },
  nasAsk: {
    en: "From now on this is the NAS: files are written to it.",
    ko: "이제부터 이것을 NAS로 사용하고 파일을 여기에 씁니다.",
  },
  nasKnown: {
    en: "This NAS is known already: nothing to do.",
    ko: "이미 알려진 NAS입니다. 할 일이 없습니다.",
  },
  nasDone: { en: "This NAS is known now.", ko: "이 NAS를 등록했습니다." },
  nasRestart: {
    en: "The server at {url} still remembers another mark: restart it.",
    ko: "{url}의 서버가 아직 이전 표식을 기억합니다. 다시 시작하세요.",
  },
  nasDisagrees: {
    en: "The server at {url} has its NAS and it is well: {place}, which these settings name, is another one. Nothing was done.",
    ko: "{url}의 서버는 NAS를 정상적으로 쓰고 있습니다. 이 설정이 가리키는 {place}은(는) 다른 것입니다. 아무것도 하지 않았습니다.",
  },
  nasDisagreesHint: {
    en: "Run it where the server runs, with its settings (ANDON_CONFIG, ANDON_DATA, ANDON_NAS).",
    ko: "서버가 실행되는 곳에서 서버의 설정(ANDON_CONFIG, ANDON_DATA, ANDON_NAS)으로 실행하세요.",
  },
  nasUnreadable: {
    en: "{place} cannot be looked at, so nothing was done. {problem}",
    ko: "{place}을(를) 확인할 수 없어 아무것도 하지 않았습니다. {problem}",
  },
  nasOff: {
    en: "These settings have no vault, so there is no NAS.",
    ko: "이 설정에는 vault가 없어 NAS가 없습니다.",
  },
  placeGood: { en: "{place} answers and can be written", ko: "{place} 응답하며 쓸 수 있음" },
  placeAway: { en: "{problem}", ko: "{problem}" },
  nasNew: { en: "{place} has no mark yet", ko: "{place}에 아직 표식이 없음" },
  nasNewTodo: { en: "The first start marks it.", ko: "처음 시작할 때 표식을 만듭니다." },
  nasUnmarked: {
    en: "{place} has no .andon-nas, and the store remembers one: is it mounted?",
    ko: "{place}에 .andon-nas가 없으나 저장소에는 기록되어 있음. 마운트되었는지 확인 필요",
  },
  nasOther: {
    en: "the .andon-nas of {place} is not the one that the store remembers",
    ko: "{place}의 .andon-nas가 저장소에 기록된 것과 다름",
  },
  nasTodo: {
    en: "Mount the right one; if this is the NAS: andon nas init",
    ko: "올바른 NAS를 마운트하세요. 이것이 맞다면: andon nas init",
  },
} as const satisfies Record<string, Localized>;
