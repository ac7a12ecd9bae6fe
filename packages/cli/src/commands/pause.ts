import { command } from "../terminal/command.ts";
import { queueArgument, queueOf, reasonOption } from "../terminal/common-options.ts";
import { onOneLine } from "../terminal/width.ts";

export const pause = command({
  name: "pause",
  says: {
    en: "Stops a queue by hand; running jobs finish",
    ko: "큐를 수동으로 정지합니다. 처리 중인 작업은 끝까지 처리됩니다",
  },
  example: 'andon pause {queue} --reason "NAS maintenance"',
  given: queueArgument,
  options: reasonOption,
  async run({ defaultQueue, given, options, client, out }) {
    const answer = await client.queues.pause({
      queue: queueOf({ defaultQueue }, given.queue),
      reason: options.reason,
    });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});
