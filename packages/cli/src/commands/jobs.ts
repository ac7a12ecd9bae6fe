import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { filterOf, filterOptions, pagingOptions } from "../terminal/common-options.ts";
import { jobColumns } from "../terminal/job-columns.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";

export const jobs = command({
  name: "jobs",
  says: {
    en: "Lists jobs by filter: waiting ones in the order they run, others newest first",
    ko: "조건에 맞는 작업을 보여 줍니다. 대기 작업은 실행 순서대로, 나머지는 최신순입니다",
  },
  example: "andon jobs --queue {queue} --state failed --text ECONNREFUSED",
  options: {
    queue: { says: HELP.filterQueue, value: "queue" },
    ...filterOptions,
    ...pagingOptions,
    cursor: {
      says: {
        en: "continue a search: the cursor that the previous page gave",
        ko: "검색 이어 하기: 앞 페이지가 알려 준 커서",
      },
      value: "cursor",
    },
  },
  async run({ options, client, out }) {
    const { queue, page, limit, cursor } = options;
    const found = await client.jobs.list({ queue, page, limit, cursor, ...filterOf(options) });
    showPage(out, found, jobColumns(out));
    if (!out.isJson && found.cursor !== undefined) {
      const facts = { cursor: found.cursor, to: found.searchedTo ? localTime(found.searchedTo) : "" };
      out.line(out.say(found.searchedTo ? WORDS.searchedTo : WORDS.searchFurther, facts));
    }
    return undefined;
  },
});
