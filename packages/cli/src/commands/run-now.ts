import { HELP } from "../i18n/help.ts";
import { command } from "../terminal/command.ts";
import { reasonOption } from "../terminal/common-options.ts";
import { decideEach } from "../terminal/decide.ts";

export const runNow = command({
  name: "run-now",
  says: {
    en: "Runs a scheduled job now",
    ko: "나중 시각을 기다리는 작업을 지금 실행되게 합니다",
  },
  example: "andon run-now 123",
  given: { job: { says: HELP.job } },
  options: reasonOption,
  run: (use) =>
    decideEach(use, [use.given.job], (id) => use.client.jobs.runNow({ id, reason: use.options.reason })),
});
