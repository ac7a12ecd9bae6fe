import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { isConfirmed, needTerminal } from "../terminal/ask.ts";
import { command } from "../terminal/command.ts";
import { reasonRequired } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { onOneLine } from "../terminal/width.ts";

export const deleteJob = command({
  name: "delete-job",
  says: {
    en: "Deletes an ended or failed job for good, with its attempts and events; asks first",
    ko: "끝났거나 실패한 작업을 시도 기록, 이벤트와 함께 완전히 삭제합니다. 먼저 확인을 받습니다",
  },
  example: 'andon delete-job 123 --reason "request of the customer"',
  given: { job: { says: HELP.job } },
  options: { ...reasonRequired, yes: { says: HELP.yes } },
  async run(use) {
    const { given, options, client, out } = use;
    const { queue, id } = await client.jobs.show({ id: given.job });
    if (!options.yes) {
      needTerminal(use);
      if (!(await isConfirmed(use))) {
        out.note(WORDS.notApplied);
        return EXIT.refused;
      }
    }
    const answer = await client.queues.deleteJob({ queue, jobId: id, reason: options.reason });
    out.answer(answer, () => onOneLine(answer.message));
    return undefined;
  },
});
