import type { Localized } from "@andon/cli/app";

/** The texts of the demo, step by step. */
export const DEMO = {
  jsonWrong: {
    en: "The demo is told to people: it has no --json.",
    ko: "데모는 사람이 보는 것입니다. --json은 쓸 수 없습니다.",
  },
  step: { en: "Step {number} of {total}: {title}", ko: "{total}단계 중 {number}단계: {title}" },

  opening: { en: "a server of its own", ko: "데모 전용 서버" },
  openingText: {
    en: "A real server with a real vault runs in {folder} and is gone when the demo ends. Its NAS is the folder {nas}.",
    ko: "실제 서버와 실제 vault가 {folder}에서 실행되며 데모가 끝나면 지워집니다. NAS는 {nas} 폴더입니다.",
  },
  console: {
    en: "See it all in the console (works once, within 15 minutes): {url}",
    ko: "콘솔에서 함께 보기 (15분 안에 한 번만 사용 가능): {url}",
  },
  otherTerminal: {
    en: "Every command shown here can be tried in another terminal, after these two lines:",
    ko: "여기에 나오는 명령은 다른 터미널에서 다음 두 줄을 실행한 뒤 직접 써 볼 수 있습니다:",
  },

  up: { en: "files go up", ko: "파일 업로드" },
  upText: {
    en: "Three files are uploaded. Each upload is answered as soon as its bytes are safe in the cache; the queue nas-sync then brings them to the NAS, one after another.",
    ko: "파일 세 개를 올립니다. 업로드는 캐시에 안전하게 저장되는 즉시 응답하고, 큐 nas-sync가 하나씩 차례로 NAS에 옮깁니다.",
  },
  uploaded: {
    en: "{name}: {size} bytes, operation {operation}",
    ko: "{name}: {size}바이트, 작업 {operation}",
  },
  upDone: { en: "All {count} files lie on the NAS.", ko: "파일 {count}개가 모두 NAS에 있습니다." },

  away: { en: "the NAS goes away", ko: "NAS 연결 끊김" },
  awayText: {
    en: "The NAS folder is renamed: from here on it looks like a share that is not mounted. Three more files are uploaded all the same: people who upload notice nothing.",
    ko: "NAS 폴더의 이름을 바꿉니다. 이제 마운트가 풀린 공유처럼 보입니다. 그래도 파일 세 개를 더 올립니다. 올리는 사람은 아무것도 느끼지 못합니다.",
  },

  stop: { en: "the line stops", ko: "라인 정지" },
  stopText: {
    en: "The first of them is tried {attempts} times, with a longer wait each time. Nothing overtakes it. Then the line stops, in the same transaction in which the job fails: no later job can start.",
    ko: "첫 번째 파일을 간격을 늘려 가며 {attempts}번 시도합니다. 아무 작업도 앞지르지 않습니다. 그런 다음 작업이 실패하는 바로 그 트랜잭션에서 라인이 멈춥니다. 뒤의 작업은 시작되지 않습니다.",
  },

  alert: { en: "the alert comes", ko: "알림 도착" },
  alertText: {
    en: "A webhook of this demo has received it:",
    ko: "이 데모의 웹훅으로 알림이 도착했습니다:",
  },

  why: { en: "the operator sees why", ko: "운영자가 원인을 확인" },
  whyText: {
    en: "Which job failed, why it does not run, and the certificate of the stop: what ran at that moment, and that nothing started after it.",
    ko: "어떤 작업이 실패했는지, 왜 실행되지 않는지, 그리고 정지 증명서(정지 순간에 실행 중이던 것, 그 뒤로 시작된 것이 없다는 사실)를 봅니다.",
  },

  back: { en: "the NAS comes back, the line goes on", ko: "NAS 복구, 라인 재개" },
  backText: {
    en: "The NAS is there again. Nothing goes on by itself: a person retries the failed job, which keeps its place, and resumes the queue. Both decisions are kept in the audit log with their reason.",
    ko: "NAS가 돌아왔습니다. 저절로 진행되는 것은 없습니다. 사람이 실패한 작업을 원래 순서 그대로 재시도하고 큐를 재개합니다. 두 결정 모두 사유와 함께 감사 로그에 남습니다.",
  },
  reason: { en: "the NAS is back", ko: "NAS 복구됨" },

  proof: { en: "nothing was lost", ko: "잃은 것 없음" },
  proofText: {
    en: "Every file on the NAS is compared with what was uploaded, by this demo from outside and by the server itself.",
    ko: "NAS의 모든 파일을 올린 내용과 비교합니다. 데모가 밖에서 직접 비교하고, 서버도 스스로 비교합니다.",
  },
  file: { en: "File", ko: "파일" },
  bytes: { en: "Bytes", ko: "바이트" },
  onNas: { en: "On the NAS", ko: "NAS" },
  same: { en: "the same, byte for byte", ko: "바이트 단위로 같음" },
  differs: {
    en: "{name} on the NAS is not what was uploaded.",
    ko: "NAS의 {name}이(가) 올린 내용과 다릅니다.",
  },

  end: {
    en: "That is the whole story: it stopped exactly where it failed, said why, and went on when told to.",
    ko: "이것이 전부입니다. 실패한 곳에서 정확히 멈추고, 이유를 알리고, 지시를 받고 다시 진행했습니다.",
  },
  ownNext: {
    en: "A queue of your own: andon init my-queue. This vault for real: andon start",
    ko: "내 큐 만들기: andon init my-queue. 실제로 실행하기: andon start",
  },
  kept: {
    en: "It goes on running until Ctrl-C. The console (works once, within 15 minutes): {url}",
    ko: "Ctrl-C를 누를 때까지 계속 실행됩니다. 콘솔 (15분 안에 한 번만 사용 가능): {url}",
  },
  cleaned: { en: "{folder} is removed.", ko: "{folder}을(를) 지웠습니다." },
  tooLate: { en: "It did not come about within {seconds} s.", ko: "{seconds}초 안에 이루어지지 않았습니다." },
  commandFailed: {
    en: "`andon {command}` did not succeed.",
    ko: "`andon {command}`이(가) 성공하지 못했습니다.",
  },
} as const satisfies Record<string, Localized>;
