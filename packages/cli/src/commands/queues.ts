import { command } from "../terminal/command.ts";
import { pagingOptions } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { queueColumns } from "../terminal/queue-columns.ts";

export const queues = command({
  name: "queues",
  says: {
    en: "Lists every queue with its state and counts",
    ko: "모든 큐의 상태와 개수를 보여 줍니다",
  },
  example: "andon queues",
  options: pagingOptions,
  async run({ options, client, out }) {
    showPage(out, await client.queues.list(options), queueColumns(out));
    return undefined;
  },
});
