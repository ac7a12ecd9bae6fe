import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, queueArgument, queueOf } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";

export const failed = command({
  name: "failed",
  says: {
    en: "Lists the failed jobs of a queue, newest first",
    ko: "큐의 실패한 작업을 최신순으로 보여 줍니다",
  },
  example: "andon failed {queue}",
  given: queueArgument,
  options: pagingOptions,
  async run({ defaultQueue, given, options, client, out }) {
    const page = await client.queues.failed({ queue: queueOf({ defaultQueue }, given.queue), ...options });
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
