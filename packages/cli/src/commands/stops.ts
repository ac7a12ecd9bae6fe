import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, queueArgument, queueOf } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";

export const stops = command({
  name: "stops",
  says: { en: "Lists the stops of a queue, newest first", ko: "큐의 정지 기록을 최신순으로 보여 줍니다" },
  example: "andon stops {queue}",
  given: queueArgument,
  options: pagingOptions,
  async run({ defaultQueue, given, options, client, out }) {
    const page = await client.stops.list({ queue: queueOf({ defaultQueue }, given.queue), ...options });
    showPage(out, page, [
      { head: out.say(WORDS.id), of: ({ id }) => id },
      { head: out.say(WORDS.at), of: ({ at }) => localTime(at) },
      { head: out.say(WORDS.kind), of: ({ kind }) => kind },
      { head: out.say(WORDS.by), of: ({ actor }) => actor },
      { head: out.say(WORDS.reason), of: ({ reason, error }) => error?.message ?? reason, isLong: true },
      { head: out.say(WORDS.resumed), of: ({ resumedAt }) => resumedAt && localTime(resumedAt) },
    ]);
    return undefined;
  },
});
