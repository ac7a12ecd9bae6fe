import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { isConfirmed, needTerminal } from "../terminal/ask.ts";
import { command } from "../terminal/command.ts";
import { reasonRequired } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { writeAnswer } from "../terminal/follow.ts";

export const deleteQueue = command({
  name: "delete-queue",
  says: {
    en: "Deletes a stopped queue that no worker works, with all its jobs and history; asks first",
    ko: "정지되어 있고 처리하는 워커가 없는 큐를 모든 작업, 이력과 함께 삭제합니다. 먼저 확인을 받습니다",
  },
  example: 'andon delete-queue reports --reason "replaced by reports-2"',
  given: { queue: { says: { en: "the queue", ko: "큐 이름" } } },
  options: { ...reasonRequired, yes: { says: HELP.yes } },
  async run(use) {
    const { given, options, client, out } = use;
    if (!options.yes) {
      needTerminal(use);
      if (!(await isConfirmed(use))) {
        out.note(WORDS.notApplied);
        return EXIT.refused;
      }
    }
    const answer = await client.queues.deleteQueue({ queue: given.queue, reason: options.reason });
    return writeAnswer(use, answer);
  },
});
