import { command } from "../kit/command.ts";
import { reasonOption } from "../kit/common-options.ts";
import { decideEach } from "../kit/decide.ts";
import { HELP } from "../words/help.ts";

export const cancel = command({
  name: "cancel",
  says: {
    en: "Cancels jobs: waiting ones at once, running ones through their signal",
    ko: "작업을 취소합니다. 대기 중이면 즉시, 실행 중이면 신호로 중단합니다",
  },
  example: 'andon cancel 123 --reason "sent twice"',
  given: { jobs: { says: HELP.jobs, many: true } },
  options: reasonOption,
  run: (use) =>
    decideEach(use, use.given.jobs, (id) => use.client.jobs.cancel({ id, reason: use.options.reason })),
});
