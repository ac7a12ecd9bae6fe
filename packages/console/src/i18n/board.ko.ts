import { withParticle } from "@andon/contract";
import type { boardEn } from "./board.en.ts";

const n = (count: number) => count.toLocaleString("ko");

export const boardKo: typeof boardEn = {
  overview: {
    title: "큐",
    queue: "큐",
    state: "상태",
    lastHour: "최근 1시간",
    name: "큐",
    waiting: "대기",
    oldest: "최장 대기",
    running: "처리 중",
    failed: "실패",
    rate: "분당 완료",
    drain: "소진 예상",
    done: "완료",
    part: (from, to) => `큐 ${n(from)}~${n(to)}`,
    compact: "행 간격 좁게",
    filter: "큐 이름으로 찾기",
    noMatch: (text) => `이름에 ${withParticle(`“${text}”`, "이(가)")} 들어 있는 큐가 없습니다.`,
    sparkline: (done, failed, most) => `최근 1시간: 완료 ${n(done)}, 실패 ${n(failed)}, 분당 최대 ${n(most)}`,
    sparklineNone: "최근 1시간: 끝난 작업 없음",
    system: (count) => `시스템 큐 ${n(count)}개`,
    systemState: ({ waiting, running }) =>
      waiting + running === 0 ? "유휴: 정리, 전달, 스케줄" : `처리 중 ${n(running)} · 대기 ${n(waiting)}`,
    more: (count) => `조치가 필요한 큐 ${n(count)}개 더 보기`,
    decide: (action, queue) => `${action}: ${queue}`,
  },
  runningNow: {
    title: "지금 처리 중",
    nothing: "처리 중인 작업이 없습니다.",
    more: (count) => `작업 ${n(count)}개 더 보기`,
    progressOf: (job) => `${job} 진행률`,
    noProgress: "진행률 보고 없음",
  },
  demo: {
    title: "실제 정지를 보고 직접 결정해 보세요",
    intro:
      "파일 6개를 NAS 역할을 하는 폴더로 복사합니다. 중간에 NAS 연결이 끊기고 라인이 멈추면, 직접 다시 진행시킵니다. 1분이면 됩니다.",
    start: "데모 시작",
    startTitle: "데모를 시작할까요?",
    startEffects: [
      "이 시스템에 “andon-demo” 큐와 작업 6개를 만듭니다.",
      "파일은 데이터 폴더 아래 전용 폴더에 둡니다. 다른 큐와 NAS는 건드리지 않습니다.",
      "라인이 멈추면 실제 알림을 보냅니다. 설정된 알림 채널로도 전달됩니다.",
      "“데모 삭제”를 누르면 큐와 작업, 파일이 삭제됩니다. 결정은 감사 로그에 남습니다.",
    ],
    started: "데모가 시작되었습니다.",
    steps: {
      copying: "파일 복사",
      failing: "NAS 연결 끊김",
      stopped: "라인 정지",
      plugged: "결정",
      done: "다시 진행",
    },
    says: {
      copying:
        "“andon-demo” 큐가 파일을 하나씩 차례로 복사합니다. 아래 “지금 처리 중”에서 진행률을 볼 수 있습니다.",
      failing: "NAS가 응답하지 않습니다. 작업을 세 번 시도하며, 다른 작업은 앞지르지 않습니다.",
      stopped:
        "세 번째 시도가 실패했고, 바로 그 트랜잭션에서 라인이 멈췄습니다. 큐를 열어 원인을 확인한 다음 NAS를 다시 연결하세요.",
      plugged: "NAS가 돌아왔습니다. 저절로 진행되지는 않습니다. “모두 재시도하고 재개”를 선택하세요.",
      done: "파일 6개가 모두 순서대로 NAS에 있습니다. 이것이 전부입니다.",
    },
    plug: "NAS 다시 연결",
    plugged: "NAS가 다시 연결되었습니다.",
    lookAt: "큐 열기",
    remove: "데모 삭제",
    removeTitle: "데모를 삭제할까요?",
    removeEffects: [
      "“andon-demo” 큐와 작업, 파일이 삭제됩니다.",
      "알림은 해결로 바뀝니다. 결정은 감사 로그에 남습니다.",
    ],
    removed: "데모를 삭제했습니다.",
    elsewhere: "이 데모는 이 시스템의 다른 프로세스에서 시작했습니다. 그 프로세스에서 삭제할 수 있습니다.",
  },
};
