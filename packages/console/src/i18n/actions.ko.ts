import { withParticle } from "@andon/contract";
import type { actionsEn } from "./actions.en.ts";

const n = (count: number) => count.toLocaleString("ko");

export const actionsKo: typeof actionsEn = {
  retry: "재시도",
  skip: "건너뛰기",
  cancel: "작업 취소",
  "run-now": "지금 실행",
  delete: "삭제",
  retryAll: "모두 재시도",
  retryAllAndResume: "모두 재시도하고 재개",
  skipAllAndResume: "모두 건너뛰고 재개",
  resume: "큐 재개",
  tryProbe: "지금 점검 작업 실행",
  pause: "큐 일시정지",
  deleteQueue: "큐 삭제",
  hold: "레인 보류",
  release: "레인 보류 해제",
  cancelRest: "대기 작업 취소",
  typeTicket: "확인을 위해 티켓 번호를 입력하세요",
  willHappen: "이렇게 됩니다",
  of: {
    retry: (ticket) => `작업 #${ticket} 재시도`,
    skip: (ticket) => `작업 #${ticket} 건너뛰기`,
    cancel: (ticket) => `작업 #${ticket} 취소`,
    "run-now": (ticket) => `작업 #${ticket} 지금 실행`,
    delete: (ticket) => `작업 #${ticket} 삭제`,
    retryAll: (queue) => `${queue}의 실패 작업 모두 재시도`,
    retryAllAndResume: (queue) => `${queue}의 실패 작업을 모두 재시도하고 재개`,
    skipAllAndResume: (queue) => `${queue}의 실패 작업을 모두 건너뛰고 재개`,
    resume: (queue) => `${queue} 재개`,
    tryProbe: (queue) => `${queue}의 점검 작업 지금 실행`,
    pause: (queue) => `${queue} 일시정지`,
    deleteQueue: (queue) => `${queue} 큐와 모든 데이터 삭제`,
    hold: (key) => `레인 ${key} 보류`,
    release: (key) => `레인 ${key} 보류 해제`,
    cancelRest: (key) => `레인 ${key}의 대기 작업 취소`,
  },
  effect: {
    retryAtHead: "작업이 대기열 맨 앞에 다시 들어갑니다. 시도 횟수는 처음부터 다시 셉니다.",
    retryJob: "작업이 원래 자리에 다시 들어갑니다. 시도 횟수는 처음부터, 티켓은 새로 받습니다.",
    queueStands: "큐가 정지해 있으므로 재개할 때까지 아무것도 시작하지 않습니다.",
    queueRuns: "큐가 실행 중이므로 바로 시작할 수 있습니다.",
    skipJob: "작업이 수동 처리 완료로 표시되며 다시 실행되지 않습니다.",
    skipLane: "같은 레인에서 기다리던 작업은 이 작업 없이 진행합니다.",
    cancelWaiting: "작업이 바로 취소되며 실행되지 않습니다.",
    cancelRan: "작업이 바로 취소되며 다시 실행되지 않습니다.",
    cancelHead: "같은 레인에 다음 작업이 있으면 이 작업 없이 이어서 진행합니다.",
    cancelRunning: "처리 중인 작업에 멈추라고 요청합니다. 멈출 때까지는 계속 처리합니다.",
    runNow: "예정 시각을 기다리지 않고 자리가 나는 대로 시작합니다.",
    deleteJob: "작업이 시도 기록, 멱등 키, 이벤트와 함께 영구 삭제됩니다. 되돌릴 수 없습니다.",
    auditStays: "누가 왜 삭제했는지는 감사 로그에 남습니다.",
    deleteQueue: (count) =>
      `큐가 작업 ${n(count)}개, 레인, 정지 기록, 이력과 함께 영구 삭제됩니다. 되돌릴 수 없습니다.`,
    deleteUnworked: "워커가 이 큐를 처리하고 있으면 서버가 거절합니다.",
    retryAll: (failed) => `실패 작업 ${n(failed)}개가 원래 자리에 다시 들어갑니다.`,
    notResumed: "큐는 재개되지 않습니다.",
    skipAll: (failed) =>
      `실패 작업 ${n(failed)}개가 수동 처리 완료로 표시됩니다. 모두 처리되거나 하나도 처리되지 않습니다.`,
    resume: (waiting) =>
      waiting === 0
        ? "큐가 다시 진행합니다. 지금 대기 중인 작업은 없습니다."
        : `큐가 다시 진행합니다. 대기 작업 ${n(waiting)}개가 시작할 수 있습니다.`,
    delayed: (delayed) => `작업 ${n(delayed)}개는 예정 시각까지 계속 기다립니다.`,
    failedStay: (failed) => `실패 작업 ${n(failed)}개는 실패 상태로 남습니다.`,
    overtakes: () =>
      "뒤의 작업이 실패한 작업보다 먼저 실행됩니다. 순서를 지키려면 ‘모두 재시도하고 재개’를 쓰세요.",
    lanesStay: (lanes) => `보류된 레인 ${n(lanes)}개는 그대로이며, 그 안의 작업은 시작하지 않습니다.`,
    degradedUntested: "아직 점검 작업이 성공하지 않았습니다. 대상이 여전히 응답하지 않을 수 있습니다.",
    degradedOpens: "대상이 정상인 것으로 보고, 점검 작업뿐 아니라 모든 작업이 시작할 수 있습니다.",
    tryProbe: (ticket) =>
      `점검 작업 ${withParticle(`#${ticket}`, "이(가)")} 예정 시각을 기다리지 않고 지금 대상을 확인합니다.`,
    probeOpens: "성공하면 큐가 스스로 열리고 모든 작업이 시작할 수 있습니다.",
    probeStays: "실패하면 큐는 그대로이며, 시도 횟수를 한 번 더 씁니다.",
    probeStops: "실패하면 마지막 시도였으므로 큐가 정지합니다.",
    pause: (active) =>
      active === 0
        ? "더 이상 시작하지 않습니다. 지금 처리 중인 작업은 없습니다."
        : `더 이상 시작하지 않습니다. 처리 중인 작업 ${n(active)}개는 끝까지 처리합니다.`,
    pauseWaiting: (waiting) => `대기 작업 ${n(waiting)}개는 자리를 지킵니다.`,
    hold: "보류를 해제할 때까지 이 레인의 작업은 시작하지 않습니다. 처리 중인 작업은 끝까지 처리합니다.",
    release: (depth) => `레인이 다시 진행합니다. 이 레인의 작업 ${n(depth)}개가 순서대로 시작할 수 있습니다.`,
    cancelRest: "이 레인에서 기다리는 작업이 취소되며 실행되지 않습니다. 처리 중인 작업은 끝까지 처리합니다.",
  },
  operation: {
    title: "진행 중",
    of: {
      "retry-all": "실패 작업을 모두 재시도하는 중",
      "skip-all-and-resume": "실패 작업을 모두 건너뛰는 중. 끝나면 큐가 재개됩니다",
      retry: "계획한 작업을 재시도하는 중",
      skip: "계획한 작업을 건너뛰는 중",
      cancel: "계획한 작업을 취소하는 중",
      "cancel-rest": "레인의 대기 작업을 취소하는 중",
      "skip-with-rest": "작업을 건너뛰고 뒤의 대기 작업을 취소하는 중",
      "cancel-rest-after-failure": "실패한 작업 뒤의 대기 작업을 취소하는 중",
      purge: "오래된 작업을 삭제하는 중",
      "delete-queue": "큐와 모든 작업을 삭제하는 중",
    },
    listing: "대상 작업 목록을 만드는 중…",
    progress: (done, total) => `작업 ${n(total)}개 중 ${n(done)}개 완료. 이 화면을 닫아도 계속됩니다.`,
    leftOut: (count) => `작업 ${n(count)}개 제외: 그사이 상태가 바뀌었거나 변경할 수 없었습니다`,
    ended: ({ state, done, leftOut, problem }) =>
      [
        `작업 ${n(done)}개 완료`,
        leftOut.count > 0 ? `, ${n(leftOut.count)}개 제외.` : ".",
        state === "FAILED" ? ` 끝까지 완료하지 못했습니다: ${problem}` : "",
      ].join(""),
  },
  nextResume: "큐는 아직 정지해 있습니다. 준비되면 재개하세요.",
};
