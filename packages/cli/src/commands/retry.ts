import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, queueOption, reasonOption } from "../kit/common-options.ts";
import { decideEach } from "../kit/decide.ts";
import { EXIT } from "../kit/exit-codes.ts";
import { Failure } from "../kit/failures.ts";
import { writeAnswer } from "../kit/follow.ts";
import { HELP } from "../words/help.ts";
import { WORDS } from "../words/words.ts";

export const retry = command({
  name: "retry",
  says: {
    en: "Queues failed jobs again, at their old place, with fresh attempts; does not resume the queue",
    ko: "실패한 작업을 원래 순서에 새 시도 횟수로 다시 넣습니다. 큐를 재개하지는 않습니다",
  },
  example: "andon retry 123 124",
  given: { jobs: { says: HELP.jobs, many: true, optional: true } },
  options: {
    all: { says: { en: "every failed job of the queue", ko: "큐의 모든 실패 작업" } },
    ...queueOption,
    ...reasonOption,
  },
  async run(use) {
    const { given, options, client } = use;
    const { reason } = options;
    if (options.all === given.jobs.length > 0) throw new Failure(EXIT.usage, WORDS.retryWhat);
    if (!options.all) return decideEach(use, given.jobs, (id) => client.jobs.retry({ id, reason }));
    const answer = await client.queues.retryAll({ queue: options.queue ?? DEFAULT_QUEUE, reason });
    await writeAnswer(use, answer);
    return undefined;
  },
});
