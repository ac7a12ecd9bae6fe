import { HELP } from "../i18n/help.ts";
import { command } from "../terminal/command.ts";
import { reasonOption } from "../terminal/common-options.ts";
import { decideEach } from "../terminal/decide.ts";

export const cancel = command({
  name: "cancel",
  says: {
    en: "Cancels jobs: waiting ones at once, running ones through their signal; completed stages are rolled back",
    ko: "작업을 취소합니다. 대기 중이면 즉시, 처리 중이면 시그널로 취소하고, 완료된 단계는 되돌립니다",
  },
  example: 'andon cancel 123 --reason "sent twice"',
  given: { jobs: { says: HELP.jobs, many: true } },
  options: reasonOption,
  run: (use) =>
    decideEach(use, use.given.jobs, (id) => use.client.jobs.cancel({ id, reason: use.options.reason })),
});
