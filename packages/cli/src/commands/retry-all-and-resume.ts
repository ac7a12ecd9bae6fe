import { WORDS } from "../i18n/words.ts";
import { confirmPreview } from "../terminal/ask.ts";
import { command } from "../terminal/command.ts";
import {
  dryRunOption,
  queueArgument,
  queueOf,
  rampOf,
  rampOptions,
  reasonOption,
  yesOption,
} from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { failedPreview } from "../terminal/failed-preview.ts";
import { endedText, endOf, isComplete } from "../terminal/follow.ts";
import { rehearsedText } from "../terminal/rehearsed-text.ts";
import { resumedText } from "../terminal/resumed-text.ts";
import { showRehearsal } from "./resume.ts";

export const retryAllAndResume = command({
  name: "retry-all-and-resume",
  says: {
    en: "Retries every failed job of a queue and resumes it; on a terminal it first shows a rehearsal and asks",
    ko: "큐의 모든 실패 작업을 다시 넣고 재개합니다. 터미널에서는 어떻게 될지 먼저 보여 주고 확인을 받습니다",
  },
  example: 'andon retry-all-and-resume {queue} --reason "the NAS is back"',
  given: queueArgument,
  options: { ...reasonOption, ...rampOptions, ...yesOption, ...dryRunOption },
  async run(use) {
    const { given, options, client, out } = use;
    const { reason } = options;
    const queue = queueOf(use, given.queue);
    const ramp = rampOf(options);
    if (options.dryRun) return showRehearsal(use, queue, true);
    const preview = async () => {
      const parts = [
        await failedPreview(use, queue),
        await rehearsedText(use, queue, { retryFailed: "true" }),
      ];
      return parts.filter((part) => part !== undefined).join("\n\n");
    };
    if (!(await confirmPreview(use, options.yes, preview))) return EXIT.refused;
    const retried = await endOf(use, await client.queues.retryAll({ queue, reason }));
    if (!isComplete(retried)) {
      out.answer({ retried }, () => `${endedText(out, retried)}\n${out.say(WORDS.leftStopped)}`);
      return EXIT.refused;
    }
    const resumed = await client.queues.resume({ queue, reason, ramp });
    out.answer({ retried, resumed }, () => `${endedText(out, retried)}\n${resumedText(resumed, out)}`);
    return undefined;
  },
});
