import { command } from "../kit/command.ts";
import { pagingOptions } from "../kit/common-options.ts";
import { showPage } from "../kit/pages.ts";
import { queueColumns } from "../kit/queue-columns.ts";

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
