import { HELP } from "../i18n/help.ts";
import { command } from "../terminal/command.ts";
import { reasonOption } from "../terminal/common-options.ts";
import { decideEach } from "../terminal/decide.ts";

export const runNow = command({
  name: "run-now",
  says: {
    en: "Makes a scheduled job due now, also one that waits for its next attempt",
    ko: "예약된 작업이나 다음 시도를 기다리는 작업을 지금 실행하게 합니다",
  },
  example: "andon run-now 123",
  given: { job: { says: HELP.job } },
  options: reasonOption,
  run: (use) =>
    decideEach(use, [use.given.job], (id) => use.client.jobs.runNow({ id, reason: use.options.reason })),
});
