import { HELP } from "../i18n/help.ts";
import { command } from "../terminal/command.ts";
import { reasonRequired } from "../terminal/common-options.ts";
import { decideEach } from "../terminal/decide.ts";

export const skip = command({
  name: "skip",
  says: {
    en: "Skips failed jobs: they will not run again",
    ko: "실패한 작업을 수동 처리 완료로 표시합니다. 다시 실행되지 않습니다",
  },
  example: 'andon skip 123 --reason "copied to the NAS by hand"',
  given: { jobs: { says: HELP.jobs, many: true } },
  options: reasonRequired,
  run: (use) =>
    decideEach(use, use.given.jobs, (id) => use.client.jobs.skip({ id, reason: use.options.reason })),
});
