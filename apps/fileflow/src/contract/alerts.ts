import type { AppAlerts } from "@andon/app";

/** The alert of an execution that finally failed or ran out of time. */
export const FILEFLOW_ALERTS = {
  EXECUTION_FAILED: {
    texts: {
      failed: {
        ko: {
          title: "파이프라인 실행 실패",
          message: '"{name}"의 실행이 실패했습니다(시도 {attempts}회).',
          several: '같은 원인으로 실행 {jobs}건이 실패했습니다. 최근 대상: "{name}".',
        },
        en: {
          title: "Pipeline execution failed",
          message: 'The execution for "{name}" has failed (attempts: {attempts}).',
          several: '{jobs} executions have failed with the same cause. The latest is for "{name}".',
        },
      },
    },
  },
} as const satisfies AppAlerts;
