import { confirmPreview } from "../terminal/ask.ts";
import { command } from "../terminal/command.ts";
import { queueArgument, queueOf, reasonRequired, yesOption } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { failedPreview } from "../terminal/failed-preview.ts";
import { writeAnswer } from "../terminal/follow.ts";

export const skipAllAndResume = command({
  name: "skip-all-and-resume",
  says: {
    en: "Skips every failed job of a queue and resumes it when the last one is skipped",
    ko: "큐의 모든 실패 작업을 수동 처리 완료로 표시하고 마지막 작업까지 표시하면 큐를 재개합니다",
  },
  example: 'andon skip-all-and-resume {queue} --reason "files were copied by hand"',
  given: queueArgument,
  options: { ...reasonRequired, ...yesOption },
  async run(use) {
    const { given, options, client } = use;
    const queue = queueOf(use, given.queue);
    if (!(await confirmPreview(use, options.yes, () => failedPreview(use, queue)))) return EXIT.refused;
    const answer = await client.queues.skipAllAndResume({ queue, reason: options.reason });
    return writeAnswer(use, answer);
  },
});
