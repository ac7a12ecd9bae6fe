import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, queueArgument, reasonRequired } from "../kit/common-options.ts";
import { onOneLine } from "../kit/width.ts";

export const skipAllAndResume = command({
  name: "skip-all-and-resume",
  says: {
    en: "Marks every failed job of a queue as settled by hand and lets it go on: all or nothing",
    ko: "큐의 모든 실패 작업을 수동 처리 완료로 표시하고 재개합니다. 전부 되거나 전혀 되지 않습니다",
  },
  example: 'andon skip-all-and-resume nas-sync --reason "files were copied by hand"',
  given: queueArgument,
  options: reasonRequired,
  async run({ given, options, client, out }) {
    const queue = given.queue ?? DEFAULT_QUEUE;
    const answer = await client.queues.skipAllAndResume({ queue, reason: options.reason });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});
