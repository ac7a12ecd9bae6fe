import type { Client } from "@andon/client";
import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { confirmPreview } from "../terminal/ask.ts";
import { command } from "../terminal/command.ts";
import { queueOf, queueOption, reasonOption, yesOption } from "../terminal/common-options.ts";
import { decideEach } from "../terminal/decide.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { failedPreview } from "../terminal/failed-preview.ts";
import { Failure } from "../terminal/failures.ts";
import { writeAnswer } from "../terminal/follow.ts";

export const retry = command({
  name: "retry",
  says: {
    en: "Queues failed jobs again, at their old place, with fresh attempts; does not resume the queue",
    ko: "실패한 작업을 원래 자리에 다시 넣고 시도 횟수를 새로 셉니다. 큐를 재개하지는 않습니다",
  },
  example: "andon retry 123 124",
  given: { jobs: { says: HELP.jobs, many: true, optional: true } },
  options: {
    all: { says: { en: "every failed job of the queue", ko: "큐의 모든 실패 작업" } },
    ...queueOption,
    ...reasonOption,
    ...yesOption,
  },
  async run(use) {
    const { given, options, client } = use;
    const { reason } = options;
    if (options.all === given.jobs.length > 0) throw new Failure(EXIT.usage, WORDS.retryWhat);
    if (!options.all) return decideEach(use, given.jobs, (id) => retryOne(client, options.queue, id, reason));
    const queue = queueOf(use, options.queue);
    if (!(await confirmPreview(use, options.yes, () => failedPreview(use, queue)))) return EXIT.refused;
    const answer = await client.queues.retryAll({ queue, reason });
    return writeAnswer(use, answer);
  },
});

/** With `--queue`, uses the route of the queue: jobs of a BullMQ queue are reachable only there. */
function retryOne(client: Client, queue: string | undefined, id: string, reason: string | undefined) {
  return queue === undefined
    ? client.jobs.retry({ id, reason })
    : client.queues.retry({ queue, jobId: id, reason });
}
