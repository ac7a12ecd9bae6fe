import type { AppAlerts } from "@andon/app";

/** The alert of a bulk job that finally failed. */
export const BROADCAST_ALERTS = {
  BULK_JOB_FAILED: {
    texts: {
      held: {
        ko: {
          title: "대량 작업 실패 - 카테고리 보류됨",
          message:
            '대량 작업 "{name}"이(가) {attempts}회 실패했습니다. 재개하거나 삭제할 때까지 같은 카테고리의 다음 작업은 시작되지 않습니다.',
          several:
            '같은 원인으로 대량 작업 {jobs}개가 실패했습니다. 최근 작업: "{name}". 재개하거나 삭제할 때까지 그 카테고리는 보류됩니다.',
        },
        en: {
          title: "Bulk job failed - category held",
          message:
            'The bulk job "{name}" has failed (attempts: {attempts}). Its category waits until it is resumed or deleted.',
          several:
            '{jobs} bulk jobs have failed with the same cause. The latest is "{name}". Their categories wait until they are resumed or deleted.',
        },
      },
    },
  },
} as const satisfies AppAlerts;
