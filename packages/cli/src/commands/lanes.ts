import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, pagingOptions, queueArgument } from "../kit/common-options.ts";
import { showPage } from "../kit/pages.ts";
import { ago } from "../kit/times.ts";
import { WORDS } from "../words/words.ts";

export const lanes = command({
  name: "lanes",
  says: {
    en: "Lists the lanes of a queue; with --held only held ones, longest held first",
    ko: "큐의 레인을 보여 줍니다. --held를 붙이면 보류된 레인만 오래된 순으로 보여 줍니다",
  },
  example: "andon lanes nas-sync --held",
  given: queueArgument,
  options: {
    held: { says: { en: "only held lanes", ko: "보류된 레인만" } },
    ...pagingOptions,
  },
  async run({ given, options, client, out }) {
    const { held, ...paging } = options;
    const page = await client.lanes.list({
      queue: given.queue ?? DEFAULT_QUEUE,
      ...paging,
      ...(held ? { held: "true" } : {}),
    });
    showPage(out, page, [
      { head: out.say(WORDS.key), of: ({ key }) => key, isLong: true },
      { head: out.say(WORDS.depth), of: ({ depth }) => depth, side: "right" },
      {
        head: out.say(WORDS.held),
        of: (lane) => lane.held && `${lane.held.kind}, ${ago(lane.held.at, out.language)}`,
        colour: () => "yellow",
      },
      { head: out.say(WORDS.by), of: (lane) => lane.held?.by ?? null },
      {
        head: out.say(WORDS.reason),
        of: (lane) => lane.held?.error ?? lane.held?.reason ?? null,
        isLong: true,
      },
    ]);
    return undefined;
  },
});
