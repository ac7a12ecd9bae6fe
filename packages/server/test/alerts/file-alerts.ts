import type { AppAlerts } from "@andon/app";

/** Alert types of an app, for the tests of alerts. */
export const FILE_ALERTS = {
  NAS_SYNC_FAILED_QUEUE_PAUSED: {
    texts: {
      stopped: {
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
  FILE_SYNC_FAILED: {
    runbook: "file-held",
    texts: {
      held: {
        ko: {
          title: "파일 동기화 실패 - 파일 보류됨",
          message:
            '파일 동기화가 {attempts}회 실패하여 "{name}"의 작업이 보류되었습니다. 다른 파일에는 영향이 없습니다.',
          several:
            '같은 원인으로 파일 {jobs}개의 동기화가 실패하여 보류되었습니다. 최근 파일: "{name}". 다른 파일에는 영향이 없습니다.',
        },
        en: {
          title: "File sync failed - file held",
          message:
            'The sync of a file has failed (attempts: {attempts}) and the work on "{name}" is held. Other files are not affected.',
          several:
            'The sync of {jobs} files has failed with the same cause and they are held. The latest is "{name}". Other files are not affected.',
        },
      },
      restCancelled: {
        ko: {
          title: "파일 동기화 실패 - 뒤 작업 취소됨",
          message: '파일 동기화가 {attempts}회 실패하여 "{name}"의 뒤 작업이 취소되었습니다.',
          several:
            '같은 원인으로 파일 {jobs}개의 동기화가 실패하여 뒤 작업이 취소되었습니다. 최근 파일: "{name}".',
        },
        en: {
          title: "File sync failed - later operations cancelled",
          message:
            'The sync of a file has failed (attempts: {attempts}) and the later operations of "{name}" are cancelled.',
          several:
            'The sync of {jobs} files has failed with the same cause and their later operations are cancelled. The latest is "{name}".',
        },
      },
      skipped: {
        ko: {
          title: "파일 동기화 실패 - 작업 건너뜀",
          message:
            '파일 동기화가 {attempts}회 실패하여 "{name}"의 작업 하나를 건너뛰었습니다. 뒤 작업은 계속 처리됩니다.',
          several:
            '같은 원인으로 파일 작업 {jobs}개가 실패하여 건너뛰었습니다. 최근 파일: "{name}". 뒤 작업은 계속 처리됩니다.',
        },
        en: {
          title: "File sync failed - operation skipped",
          message:
            'The sync of a file has failed (attempts: {attempts}) and an operation of "{name}" is skipped. Later ones go on.',
          several:
            '{jobs} file operations have failed with the same cause and are skipped. The latest is of "{name}". Later ones go on.',
        },
      },
    },
  },
} as const satisfies AppAlerts;
