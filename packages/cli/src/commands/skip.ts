import { HELP } from "../i18n/help.ts";
import { command } from "../terminal/command.ts";
import { reasonRequired } from "../terminal/common-options.ts";
import { decideEach } from "../terminal/decide.ts";

export const skip = command({
  name: "skip",
  says: {
    en: "Skips failed jobs: they will not run again",
    ko: "실패한 작업을 수동 처리 완료로 표시합니다. 다시 실행되지 않습니다",
  },
  example: 'andon skip 123 --reason "copied to the NAS by hand"',
  given: { jobs: { says: HELP.jobs, many: true } },
  options: {
    queue: {
      says: {
        en: "the queue of the jobs; needed only for a queue that BullMQ runs",
        ko: "작업이 있는 큐. BullMQ가 실행하는 큐이면 필요합니다",
      },
      value: "queue",
    },
    ...reasonRequired,
  },
  run(use) {
    const { client, given } = use;
    const { queue, reason } = use.options;
    // With `--queue`, use the route of the queue: jobs of a BullMQ queue are reachable only there.
    return decideEach(use, given.jobs, (id) =>
      queue === undefined
        ? client.jobs.skip({ id, reason })
        : client.queues.skip({ queue, jobId: id, reason }),
    );
  },
});
