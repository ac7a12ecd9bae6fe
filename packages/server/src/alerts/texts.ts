import type { AlertWording, AppAlerts } from "@andon/app";
import { filledIn, type Language } from "@andon/contract";
import type { OpenTogether } from "./alert-row.ts";
import { isGrouped, type Occasion } from "./rules.ts";

const TEXTS: Readonly<Record<Occasion, AlertWording>> = {
  stopped: {
    ko: {
      title: "작업 실패 - 큐 일시정지됨",
      message:
        '큐 "{queue}"의 작업이 {attempts}회 실패하여 큐가 일시정지되었습니다.\n수동 처리 후 큐 재개가 필요합니다.',
    },
    en: {
      title: "Job failed - queue paused",
      message:
        'A job of the queue "{queue}" has failed (attempts: {attempts}) and the queue is paused.\nIt has to be handled by hand, and the queue resumed.',
    },
  },
  held: {
    ko: {
      title: "작업 실패 - 레인 보류됨",
      message:
        '큐 "{queue}"의 작업이 {attempts}회 실패하여 레인 "{lane}"이(가) 보류되었습니다. 다른 레인에는 영향이 없습니다.',
      several:
        '큐 "{queue}"의 작업이 같은 원인으로 실패하여 레인 {jobs}개가 보류되었습니다. 최근 레인: "{lane}". 다른 레인에는 영향이 없습니다.',
    },
    en: {
      title: "Job failed - lane held",
      message:
        'A job of the queue "{queue}" has failed (attempts: {attempts}) and the lane "{lane}" is held. Other lanes are not affected.',
      several:
        'Jobs of the queue "{queue}" have failed with the same cause and {jobs} lanes are held. The latest is "{lane}". Other lanes are not affected.',
    },
  },
  restCancelled: {
    ko: {
      title: "작업 실패 - 뒤 작업 취소됨",
      message: '큐 "{queue}"의 "{name}" 작업이 {attempts}회 실패하여 그 뒤의 작업이 취소되었습니다.',
      several:
        '큐 "{queue}"의 작업 {jobs}개가 같은 원인으로 실패하여 각각 뒤의 작업이 취소되었습니다. 최근: "{name}".',
    },
    en: {
      title: "Job failed - later ones cancelled",
      message:
        'A job of the queue "{queue}" has failed (attempts: {attempts}) and the later ones of "{name}" are cancelled.',
      several:
        '{jobs} jobs of the queue "{queue}" have failed with the same cause and those behind them are cancelled. The latest is of "{name}".',
    },
  },
  skipped: {
    ko: {
      title: "작업 실패 - 건너뜀",
      message:
        '큐 "{queue}"의 "{name}" 작업이 {attempts}회 실패하여 건너뛰었습니다. 뒤 작업은 계속 처리됩니다.',
      several:
        '큐 "{queue}"의 작업 {jobs}개가 같은 원인으로 실패하여 건너뛰었습니다. 최근: "{name}". 뒤 작업은 계속 처리됩니다.',
    },
    en: {
      title: "Job failed - skipped",
      message:
        'A job of the queue "{queue}", about "{name}", has failed (attempts: {attempts}) and is skipped. Later ones go on.',
      several:
        '{jobs} jobs of the queue "{queue}" have failed with the same cause and are skipped. The latest is about "{name}". Later ones go on.',
    },
  },
  failed: {
    ko: {
      title: "작업 실패 - 처리 필요",
      message:
        '큐 "{queue}"의 작업이 {attempts}회 실패했습니다. 이 작업을 기다리는 작업은 없습니다. 이 알림은 작업이 처리될 때까지 유지됩니다.',
      several:
        '큐 "{queue}"의 작업 {jobs}개가 같은 원인으로 실패했습니다. 이 작업들을 기다리는 작업은 없습니다. 이 알림은 모두 처리될 때까지 유지됩니다.',
    },
    en: {
      title: "Job failed - to be settled",
      message:
        'A job of the queue "{queue}" has failed (attempts: {attempts}). Nothing waits for it. This alert lasts until it is settled.',
      several:
        '{jobs} jobs of the queue "{queue}" have failed with the same cause. Nothing waits for them. This alert lasts until all are settled.',
    },
  },
  rollBackFailed: {
    ko: {
      title: "되돌리기 실패",
      message:
        '큐 "{queue}"의 취소된 작업 "{name}"에서 단계 "{stage}"을(를) 되돌리지 못했습니다. 남은 것을 직접 확인하세요.',
    },
    en: {
      title: "Roll-back failed",
      message:
        'Stage "{stage}" of the cancelled job "{name}" of the queue "{queue}" could not be rolled back. Check what is left of it.',
    },
  },
  waiting: {
    ko: {
      title: "대기 작업 초과",
      message:
        '큐 "{queue}"에 작업 {waiting}개가 대기 중입니다(기준 {waitingAbove}개). 처리 속도를 확인하세요.',
    },
    en: {
      title: "Too many jobs wait",
      message:
        '{waiting} jobs wait in the queue "{queue}" (limit: {waitingAbove}). Check how fast they are worked off.',
    },
  },
  unworked: {
    ko: {
      title: "큐를 처리하는 워커가 없음",
      message:
        '큐 "{queue}"의 마지막 워커가 {lastWorkerGoneAt}에 사라졌고 작업 {waiting}개가 대기 중입니다. 워커 프로세스를 다시 시작하세요.',
    },
    en: {
      title: "No worker for a queue",
      message:
        'The last worker of the queue "{queue}" has been gone since {lastWorkerGoneAt}, and {waiting} {waiting:job waits|jobs wait}. Start a worker process again.',
    },
  },
  degraded: {
    ko: {
      title: "큐 대상 장애 - 대상이 응답하지 않음",
      message:
        '큐 "{queue}"의 처리 대상이 {degradedAt}부터 실패하고 있습니다. 점검 작업 하나만 실행되며, 성공하면 큐가 다시 열립니다.',
    },
    en: {
      title: "Queue degraded - destination failing",
      message:
        'The destination of the queue "{queue}" has been failing since {degradedAt}. Only the probe runs; the queue opens when it succeeds.',
    },
  },
  pausedLong: {
    ko: {
      title: "큐 장시간 정지",
      message: '큐 "{queue}"이(가) {pausedAt}부터 정지되어 있습니다. 조치가 필요합니다.',
    },
    en: {
      title: "Queue paused for long",
      message: 'The queue "{queue}" has been paused since {pausedAt}. Somebody has to act.',
    },
  },
  test: {
    ko: { title: "시험 알림", message: "{actor}님이 보낸 시험 알림입니다. 조치할 것은 없습니다." },
    en: { title: "Test alert", message: "A test alert that {actor} has sent. There is nothing to do." },
  },
};

/** A further sentence if alerts of this type are open for several causes. */
const TOGETHER: Readonly<Record<"held" | "others", Readonly<Record<Language, string>>>> = {
  held: {
    ko: "큐 전체: 레인 {jobs}개, 원인 {causes}가지.",
    en: "In the whole queue: {jobs} lanes, {causes} causes.",
  },
  others: {
    ko: "큐 전체: 작업 {jobs}개, 원인 {causes}가지.",
    en: "In the whole queue: {jobs} jobs, {causes} causes.",
  },
};

interface Told {
  readonly occasion: Occasion;
  readonly type: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The number of jobs it covers. */
  readonly jobs: number;
  readonly together?: OpenTogether | undefined;
}

/** The title and message of an alert, made from its stored facts. `own` has the alert types of apps, with their texts. */
export function alertText(
  { occasion, type, facts, jobs, together }: Told,
  language: Language,
  own: AppAlerts,
) {
  const texts: Readonly<Partial<Record<Occasion, AlertWording>>> = own[type]?.texts ?? {};
  const { title, message, several } = (texts[occasion] ?? TEXTS[occasion])[language];
  const template = (isGrouped(occasion) && jobs > 1 && several) || message;
  const sentences = [filledIn(template, { ...facts, jobs }, () => "")];
  if (together && together.causes > 1)
    sentences.push(filledIn(TOGETHER[occasion === "held" ? "held" : "others"][language], { ...together }));
  return { title, message: sentences.join("\n") };
}
