import type { Localized } from "./localized.ts";

/** Findings of `andon doctor`, and what to do about each. */
export const FOUND = {
  check: { en: "Check", ko: "점검" },
  found: { en: "Found", ko: "결과" },
  todo: { en: "What to do", ko: "조치" },
  nodeGood: { en: "Node {version}", ko: "Node {version}" },
  nodeOld: { en: "Node {version} is too old", ko: "Node {version}은(는) 너무 낮은 버전입니다" },
  nodeTodo: { en: "Install Node 20.19 or later.", ko: "Node 20.19 이상을 설치하세요." },
  settingsGood: { en: "can be used", ko: "사용할 수 있음" },
  settingsBad: { en: "{problem}", ko: "{problem}" },
  settingsTodo: { en: "Correct it; then: andon config check", ko: "고친 뒤 확인: andon config check" },
  folderGood: { en: "{folder} is writable", ko: "{folder}에 쓸 수 있음" },
  folderMissing: { en: "{folder} does not exist yet", ko: "{folder}이(가) 아직 없음" },
  folderMissingTodo: { en: "It is created at the first start.", ko: "처음 시작할 때 만들어집니다." },
  folderBad: { en: "{folder} cannot be written ({problem})", ko: "{folder}에 쓸 수 없음 ({problem})" },
  folderTodo: {
    en: "Give it to the user who runs the server.",
    ko: "서버를 실행하는 사용자에게 권한을 주세요.",
  },
  keyGood: { en: "{file} is readable by its owner alone", ko: "{file}은(는) 소유자만 읽을 수 있음" },
  keyOpen: {
    en: "{file} can be read by others (mode {mode})",
    ko: "{file}을(를) 다른 사용자가 읽을 수 있음 (모드 {mode})",
  },
  keyTodo: {
    en: "chmod 600 {file}, and create a new key: others may have read it.",
    ko: "chmod 600 {file} 후 새 키를 만드세요. 이미 읽혔을 수 있습니다.",
  },
  diskGood: { en: "{free} free", ko: "여유 {free}" },
  diskLow: { en: "only {free} free", ko: "여유 공간이 {free}뿐임" },
  diskTodo: { en: "Free space on the disk of {place}.", ko: "{place}이(가) 있는 디스크를 정리하세요." },
  storeFileGood: { en: "{path} is there and can be written", ko: "{path}이(가) 있고 쓸 수 있음" },
  storeFileMissing: { en: "{path} does not exist yet", ko: "{path}이(가) 아직 없음" },
  storeBad: { en: "does not answer ({problem})", ko: "응답하지 않음 ({problem})" },
  storeTodo: {
    en: "Check that the database runs, and ANDON_STORE.",
    ko: "데이터베이스와 ANDON_STORE를 확인하세요.",
  },
  serverGood: { en: "answers at {url}", ko: "{url}에서 응답함" },
  serverAway: { en: "does not answer: {problem}", ko: "응답하지 않음: {problem}" },
  serverTodo: {
    en: "Start it with `andon start`, or name it with --url.",
    ko: "`andon start`로 시작하거나 --url로 지정하세요.",
  },
  partGood: { en: "answers", ko: "응답함" },
  namedPartGood: { en: "{part} answers", ko: "{part} 응답함" },
  namedPartAway: { en: "{part} does not answer ({problem})", ko: "{part} 응답하지 않음 ({problem})" },
  partTodo: {
    en: "Check it and its address in the settings.",
    ko: "해당 시스템과 설정의 주소를 확인하세요.",
  },
  schemaFits: {
    en: "fits: the server that answers has checked it at its start",
    ko: "맞음: 응답하는 서버가 시작할 때 확인함",
  },
  schemaGood: { en: "fits: {versions}", ko: "맞음: {versions}" },
  schemaNone: { en: "the store has no tables yet", ko: "저장소에 아직 테이블이 없음" },
  schemaOlder: {
    en: "the tables of {set} are at version {found}, this program brings {known}",
    ko: "{set} 테이블이 버전 {found}이고 이 프로그램은 {known}을(를) 씀",
  },
  schemaOlderTodo: {
    en: "They are migrated at the next start.",
    ko: "다음에 시작할 때 자동으로 갱신됩니다.",
  },
  schemaNewer: {
    en: "the tables of {set} are at version {found}, this program knows {known} at most",
    ko: "{set} 테이블이 버전 {found}이지만 이 프로그램은 {known}까지만 앎",
  },
  schemaNewerTodo: {
    en: "Update the program: it does not start on this store.",
    ko: "프로그램을 업데이트하세요. 이 저장소로는 시작하지 않습니다.",
  },
  storeClockGood: {
    en: "this machine and the store agree to {seconds} s",
    ko: "이 컴퓨터와 저장소의 차이가 {seconds}초 이내",
  },
  storeClockOff: {
    en: "this machine is {seconds} s off the store",
    ko: "이 컴퓨터와 저장소의 시계가 {seconds}초 차이남",
  },
  clockGood: {
    en: "this machine and the server agree to {seconds} s",
    ko: "이 컴퓨터와 서버의 차이가 {seconds}초 이내",
  },
  clockOff: {
    en: "this machine is {seconds} s off the server",
    ko: "이 컴퓨터와 서버의 시계가 {seconds}초 차이남",
  },
  clockTodo: { en: "Set both clocks by NTP.", ko: "두 시계를 NTP로 맞추세요." },
  accessGood: { en: "the key is {actor}'s", ko: "키의 주인: {actor}" },
  accessMissing: { en: "no key: queues were not checked", ko: "키가 없어 큐를 확인하지 못함" },
  accessTodo: { en: "Give one with --token or ANDON_TOKEN.", ko: "--token 또는 ANDON_TOKEN으로 주세요." },
  workersGood: { en: "{count} alive", ko: "{count}개 동작 중" },
  workersNone: { en: "none is alive", ko: "동작 중인 워커 없음" },
  workersNoneWaiting: {
    en: "none is alive, and {waiting} {waiting:job waits|jobs wait}",
    ko: "동작 중인 워커가 없고 작업 {waiting}개가 대기 중",
  },
  workersTodo: { en: "Start a process with the role work.", ko: "work 역할의 프로세스를 시작하세요." },
  queueUnworked: {
    en: "no worker works {queue}, where {waiting} {waiting:job waits|jobs wait}",
    ko: "{queue} 큐를 처리하는 워커가 없고 작업 {waiting}개가 대기 중",
  },
  queueUnworkedTodo: {
    en: "Start a process that has a handler for {queue}.",
    ko: "{queue} 큐의 핸들러가 있는 프로세스를 시작하세요.",
  },
  queuesGood: { en: "{count} open", ko: "{count}개 열림" },
  queueStopped: { en: "{queue} is stopped: {reason}", ko: "{queue} 정지됨: {reason}" },
  queueStoppedTodo: {
    en: "andon failed {queue}; then decide and andon resume {queue}",
    ko: "andon failed {queue}로 확인하고 결정한 뒤 andon resume {queue}",
  },
  queueDegraded: {
    en: "{queue} is degraded: only its probe runs",
    ko: "{queue} 대상 장애: 점검 작업만 실행 중",
  },
  queueDegradedTodo: {
    en: "Check the destination that it writes to.",
    ko: "이 큐가 쓰는 대상 시스템을 확인하세요.",
  },
  lanesGood: { en: "none is held", ko: "보류된 레인 없음" },
  lanesHeld: { en: "{queue}: {count} held", ko: "{queue}: {count}개 보류됨" },
  lanesTodo: { en: "andon lanes {queue} --held", ko: "andon lanes {queue} --held" },
  deliveriesGood: { en: "none fails", ko: "실패하는 전송 없음" },
  deliveriesFailed: {
    en: "{count} {count:message|messages} could not be delivered",
    ko: "전송하지 못한 메시지 {count}개",
  },
  deliveriesTodo: {
    en: "andon failed outbox; then andon retry --all --queue outbox",
    ko: "andon failed outbox로 확인한 뒤 andon retry --all --queue outbox",
  },
  channelFails: {
    en: "alerts do not get through to {channel}: {problem}",
    ko: "{channel} 채널로 알림이 전송되지 않음: {problem}",
  },
  channelTodo: {
    en: "Check the channel and its settings; then: andon alerts test",
    ko: "채널과 설정을 확인한 뒤: andon alerts test",
  },
  checkFailed: { en: "could not be checked: {problem}", ko: "확인하지 못함: {problem}" },
} as const satisfies Record<string, Localized>;
