import { confirmPreview } from "../terminal/ask.ts";
import { command, type Use } from "../terminal/command.ts";
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
import { rehearsalView } from "../terminal/rehearsal-view.ts";
import { rehearsedText } from "../terminal/rehearsed-text.ts";
import { resumedText } from "../terminal/resumed-text.ts";

export const resume = command({
  name: "resume",
  says: {
    en: "Resumes a stopped queue; on a terminal it first shows a rehearsal and asks",
    ko: "정지된 큐를 재개합니다. 터미널에서는 재개하면 어떻게 될지 먼저 보여 주고 확인을 받습니다",
  },
  example: "andon resume {queue} --ramp",
  given: queueArgument,
  options: { ...reasonOption, ...rampOptions, ...yesOption, ...dryRunOption },
  async run(use) {
    const { given, options, client, out } = use;
    const queue = queueOf(use, given.queue);
    const ramp = rampOf(options);
    if (options.dryRun) return showRehearsal(use, queue, false);
    const preview = async () => (await rehearsedText(use, queue)) ?? failedPreview(use, queue);
    if (!(await confirmPreview(use, options.yes, preview))) return EXIT.refused;
    const answer = await client.queues.resume({ queue, reason: options.reason, ramp });
    out.answer(answer, () => resumedText(answer, out));
    return undefined;
  },
});

/** Shows the rehearsal and changes nothing. The exit code is 1 if the destination is away or one of the next jobs will fail. */
export async function showRehearsal(
  { client, out }: Pick<Use, "client" | "out">,
  queue: string,
  retryFailed: boolean,
): Promise<number> {
  const rehearsal = await client.queues.rehearse({ queue, retryFailed: retryFailed ? "true" : "false" });
  out.answer(rehearsal, () => rehearsalView(rehearsal, out));
  const willFail = rehearsal.next.some(({ checks }) => checks.some(({ ok }) => !ok));
  return rehearsal.destination.ok === false || willFail ? EXIT.refused : EXIT.ok;
}
