import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, pagingOptions, queueArgument } from "../kit/common-options.ts";
import { showPage } from "../kit/pages.ts";
import { localTime } from "../kit/times.ts";
import { WORDS } from "../words/words.ts";

export const failed = command({
  name: "failed",
  says: {
    en: "Lists the failed jobs of a queue, newest first",
    ko: "큐의 실패한 작업을 최신순으로 보여 줍니다",
  },
  example: "andon failed nas-sync",
  given: queueArgument,
  options: pagingOptions,
  async run({ given, options, client, out }) {
    const page = await client.queues.failed({ queue: given.queue ?? DEFAULT_QUEUE, ...options });
    showPage(out, page, [
      { head: out.say(WORDS.ticket), of: ({ jobId }) => jobId },
      { head: out.say(WORDS.kind), of: ({ eventType }) => eventType },
      {
        head: out.say(WORDS.about),
        of: ({ aggregateType, aggregateId }) => `${aggregateType} ${aggregateId}`,
        isLong: true,
      },
      {
        head: out.say(WORDS.errorHead),
        of: ({ failedReason }) => failedReason,
        colour: () => "red",
        isLong: true,
      },
      { head: out.say(WORDS.attempts), of: ({ attemptsMade }) => attemptsMade, side: "right" },
      { head: out.say(WORDS.at), of: ({ failedAt }) => localTime(failedAt) },
    ]);
    return undefined;
  },
});
