import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { ago } from "../terminal/times.ts";

export const workers = command({
  name: "workers",
  says: {
    en: "Lists worker processes and the jobs that they run",
    ko: "일하는 프로세스와 실행 중인 작업 수를 보여 줍니다",
  },
  example: "andon workers",
  options: pagingOptions,
  async run({ options, client, out }) {
    showPage(out, await client.workers.list(options), [
      { head: out.say(WORDS.id), of: ({ id }) => id },
      { head: out.say(WORDS.host), of: ({ host }) => host },
      { head: out.say(WORDS.process), of: ({ pid }) => pid, side: "right" },
      { head: out.say(WORDS.since), of: ({ startedAt }) => ago(startedAt, out.language) },
      { head: out.say(WORDS.running), of: ({ running }) => running, side: "right" },
      { head: out.say(WORDS.queues), of: ({ queues }) => queues.join(", "), isLong: true },
    ]);
    return undefined;
  },
});
