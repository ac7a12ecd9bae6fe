import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, queueArgument, reasonOption } from "../kit/common-options.ts";
import { onOneLine } from "../kit/width.ts";

export const pause = command({
  name: "pause",
  says: {
    en: "Stops a queue by hand; running jobs finish",
    ko: "큐를 수동으로 정지합니다. 실행 중인 작업은 끝까지 진행됩니다",
  },
  example: 'andon pause nas-sync --reason "NAS maintenance"',
  given: queueArgument,
  options: reasonOption,
  async run({ given, options, client, out }) {
    const answer = await client.queues.pause({ queue: given.queue ?? DEFAULT_QUEUE, reason: options.reason });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});
