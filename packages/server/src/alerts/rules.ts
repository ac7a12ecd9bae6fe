import type { Language } from "@andon/contract";
import type { Alert } from "./alert-row.ts";

/** What a failed job did where it is not why the queue stopped. */
export type FailureOccasion = "held" | "restCancelled" | "skipped" | "failed";
/** What an alert can be about. */
export type Occasion = "stopped" | FailureOccasion | "waiting" | "pausedLong" | "test";

interface Text {
  readonly title: string;
  /** `{name}` stands for a fact of the alert. */
  readonly message: string;
}
type Wording = Readonly<Record<Language, Text>>;

interface AlertRule {
  readonly severity: Alert["severity"];
  readonly wording: Wording;
  /** Types of this occasion that have words of their own. */
  readonly wordingOf?: Readonly<Record<string, Wording>>;
}

/** Every alert there is. The guide's table (docs: guide/alerts.md) tells the same. */
const RULES: Readonly<Record<Occasion, AlertRule>> = {
  stopped: {
    severity: "CRITICAL",
    wording: {
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
    wordingOf: {
      NAS_SYNC_FAILED_QUEUE_PAUSED: {
        ko: {
          title: "NAS 동기화 실패 - 큐 일시정지됨",
          message:
            "NAS 동기화가 {attempts}회 실패하여 큐가 일시정지되었습니다.\n수동 처리 후 큐 재개가 필요합니다.",
        },
        en: {
          title: "NAS sync failed - queue paused",
          message:
            "NAS sync has failed (attempts: {attempts}) and the queue is paused.\nIt has to be handled by hand, and the queue resumed.",
        },
      },
    },
  },
  held: {
    severity: "WARNING",
    wording: {
      ko: {
        title: "작업 실패 - 레인 보류됨",
        message:
          '큐 "{queue}"의 작업이 {attempts}회 실패하여 레인 "{lane}"이(가) 보류되었습니다. 다른 레인에는 영향이 없습니다.',
      },
      en: {
        title: "Job failed - lane held",
        message:
          'A job of the queue "{queue}" has failed (attempts: {attempts}) and the lane "{lane}" is held. Other lanes are not affected.',
      },
    },
    wordingOf: {
      FILE_SYNC_FAILED: {
        ko: {
          title: "파일 동기화 실패 - 파일 보류됨",
          message:
            '파일 동기화가 {attempts}회 실패하여 "{name}"의 작업이 보류되었습니다. 다른 파일에는 영향이 없습니다.',
        },
        en: {
          title: "File sync failed - file held",
          message:
            'The sync of a file has failed (attempts: {attempts}) and the work on "{name}" is held. Other files are not affected.',
        },
      },
    },
  },
  restCancelled: {
    severity: "WARNING",
    wording: {
      ko: {
        title: "작업 실패 - 뒤 작업 취소됨",
        message: '큐 "{queue}"의 "{name}" 작업이 {attempts}회 실패하여 그 뒤의 작업이 취소되었습니다.',
      },
      en: {
        title: "Job failed - later ones cancelled",
        message:
          'A job of the queue "{queue}" has failed (attempts: {attempts}) and the later ones of "{name}" are cancelled.',
      },
    },
    wordingOf: {
      FILE_SYNC_FAILED: {
        ko: {
          title: "파일 동기화 실패 - 뒤 작업 취소됨",
          message: '파일 동기화가 {attempts}회 실패하여 "{name}"의 뒤 작업이 취소되었습니다.',
        },
        en: {
          title: "File sync failed - later operations cancelled",
          message:
            'The sync of a file has failed (attempts: {attempts}) and the later operations of "{name}" are cancelled.',
        },
      },
    },
  },
  skipped: {
    severity: "WARNING",
    wording: {
      ko: {
        title: "작업 실패 - 건너뜀",
        message:
          '큐 "{queue}"의 "{name}" 작업이 {attempts}회 실패하여 건너뛰었습니다. 뒤 작업은 계속 처리됩니다.',
      },
      en: {
        title: "Job failed - skipped",
        message:
          'A job of the queue "{queue}", about "{name}", has failed (attempts: {attempts}) and is skipped. Later ones go on.',
      },
    },
    wordingOf: {
      FILE_SYNC_FAILED: {
        ko: {
          title: "파일 동기화 실패 - 작업 건너뜀",
          message:
            '파일 동기화가 {attempts}회 실패하여 "{name}"의 작업 하나를 건너뛰었습니다. 뒤 작업은 계속 처리됩니다.',
        },
        en: {
          title: "File sync failed - operation skipped",
          message:
            'The sync of a file has failed (attempts: {attempts}) and an operation of "{name}" is skipped. Later ones go on.',
        },
      },
    },
  },
  failed: {
    severity: "WARNING",
    wording: {
      ko: {
        title: "작업 실패 - 처리 필요",
        message:
          '큐 "{queue}"의 작업이 {attempts}회 실패했습니다. 이 작업을 기다리는 작업은 없습니다. 실패한 작업이 모두 처리될 때까지 이 알림이 유지됩니다.',
      },
      en: {
        title: "Job failed - to be settled",
        message:
          'A job of the queue "{queue}" has failed (attempts: {attempts}). Nothing waits for it. This alert lasts until every failed job is settled.',
      },
    },
  },
  waiting: {
    severity: "WARNING",
    wording: {
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
  },
  pausedLong: {
    severity: "WARNING",
    wording: {
      ko: {
        title: "큐 장시간 정지",
        message: '큐 "{queue}"이(가) {pausedAt}부터 정지되어 있습니다. 조치가 필요합니다.',
      },
      en: {
        title: "Queue paused for long",
        message: 'The queue "{queue}" has been paused since {pausedAt}. Somebody has to act.',
      },
    },
  },
  test: {
    severity: "WARNING",
    wording: {
      ko: { title: "시험 알림", message: "{actor}님이 보낸 시험 알림입니다. 조치할 것은 없습니다." },
      en: { title: "Test alert", message: "A test alert that {actor} has sent. There is nothing to do." },
    },
  },
};

/** An alert that has not been stored yet. */
export interface AlertDraft {
  readonly occasion: Occasion;
  readonly type: string;
  readonly severity: Alert["severity"];
  /** Empty where it is about none. */
  readonly queue: string;
  /** Tells episodes of one type and queue apart. */
  readonly subject: string;
  readonly title: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Happening {
  readonly type: string;
  readonly queue: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What the message tells and the details do not. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export function draftAlert(occasion: Occasion, happening: Happening, language: Language): AlertDraft {
  const { severity, wording, wordingOf } = RULES[occasion];
  const { type, queue, subject, details, facts } = happening;
  const text = (wordingOf?.[type] ?? wording)[language];
  const known: Record<string, unknown> = { ...details, ...facts };
  const message = text.message.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name] ?? ""));
  return { occasion, type, severity, queue, subject, title: text.title, message, details };
}
