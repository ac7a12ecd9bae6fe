import { command } from "../kit/command.ts";
import { filterOf, filterOptions, pagingOptions } from "../kit/common-options.ts";
import { jobColumns } from "../kit/job-columns.ts";
import { showPage } from "../kit/pages.ts";
import { HELP } from "../words/help.ts";

export const jobs = command({
  name: "jobs",
  says: {
    en: "Lists jobs by filter: waiting ones in the order they run, others newest first",
    ko: "조건에 맞는 작업을 보여 줍니다. 대기 작업은 실행 순서대로, 나머지는 최신순입니다",
  },
  example: "andon jobs --queue nas-sync --state failed --text ECONNREFUSED",
  options: {
    queue: { says: HELP.filterQueue, value: "queue" },
    ...filterOptions,
    ...pagingOptions,
  },
  async run({ options, client, out }) {
    const { queue, page, limit } = options;
    const found = await client.jobs.list({ queue, page, limit, ...filterOf(options) });
    showPage(out, found, jobColumns(out));
    return undefined;
  },
});
