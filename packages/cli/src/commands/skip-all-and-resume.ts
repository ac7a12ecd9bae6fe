import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, queueArgument, reasonRequired } from "../kit/common-options.ts";
import { writeAnswer } from "../kit/follow.ts";

export const skipAllAndResume = command({
  name: "skip-all-and-resume",
  says: {
    en: "Marks every failed job of a queue as settled by hand and lets it go on when the last one is settled",
    ko: "큐의 모든 실패 작업을 수동 처리 완료로 표시하고 마지막 작업까지 처리되면 재개합니다",
  },
  example: 'andon skip-all-and-resume nas-sync --reason "files were copied by hand"',
  given: queueArgument,
  options: reasonRequired,
  async run(use) {
    const { given, options, client } = use;
    const queue = given.queue ?? DEFAULT_QUEUE;
    const answer = await client.queues.skipAllAndResume({ queue, reason: options.reason });
    await writeAnswer(use, answer);
    return undefined;
  },
});
