import type { AppAlerts } from "@andon/app";

/** The alert of a failed task. A failed task blocks no other. */
export const STUDIO_ALERTS = {
  TASK_FAILED: {
    texts: {
      failed: {
        ko: {
          title: "영상 작업 실패",
          message: '영상 작업 "{name}"이(가) 실패했습니다: {error}. 다른 작업은 계속됩니다.',
          several:
            '같은 원인으로 영상 작업 {jobs}개가 실패했습니다. 최근 작업: "{name}". 다른 작업은 계속됩니다.',
        },
        en: {
          title: "Film task failed",
          message: 'The task "{name}" has failed: {error}. Other tasks go on.',
          several: '{jobs} tasks have failed with the same cause. The latest is "{name}". Other tasks go on.',
        },
      },
    },
  },
} as const satisfies AppAlerts;
