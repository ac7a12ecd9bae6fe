import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, pagingOptions, queueArgument } from "../kit/common-options.ts";
import { showPage } from "../kit/pages.ts";
import { localTime } from "../kit/times.ts";
import { WORDS } from "../words/words.ts";

export const stops = command({
  name: "stops",
  says: { en: "Lists the stops of a queue, newest first", ko: "큐의 정지 기록을 최신순으로 보여 줍니다" },
  example: "andon stops nas-sync",
  given: queueArgument,
  options: pagingOptions,
  async run({ given, options, client, out }) {
    const page = await client.stops.list({ queue: given.queue ?? DEFAULT_QUEUE, ...options });
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
