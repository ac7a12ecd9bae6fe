import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, queueArgument, queueOf } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";

export const causes = command({
  name: "causes",
  says: {
    en: "Groups the failed jobs of a queue by cause, with the runbook and the results of earlier decisions",
    ko: "큐의 실패한 작업을 원인별로 묶어 대응 절차와 이전 조치의 결과를 보여 줍니다",
  },
  example: "andon causes {queue}",
  given: queueArgument,
  options: pagingOptions,
  async run({ defaultQueue, given, options, client, out }) {
    const page = await client.queues.fingerprints({
      queue: queueOf({ defaultQueue }, given.queue),
      ...options,
    });
    showPage(out, page, [
      { head: out.say(WORDS.jobs), of: ({ count }) => count, side: "right" },
      {
        head: out.say(WORDS.errorHead),
        of: ({ code, message }) => `${code}: ${message}`,
        colour: () => "red",
        isLong: true,
      },
      { head: out.say(WORDS.at), of: ({ lastAt }) => localTime(lastAt) },
      {
        head: out.say(WORDS.before),
        of: ({ remedies: { retried, worked, skipped } }) =>
          [
            ...(retried > 0 ? [out.say(WORDS.retriedBefore, { retried, worked })] : []),
            ...(skipped > 0 ? [out.say(WORDS.skippedBefore, { skipped })] : []),
          ].join("; ") || null,
      },
      { head: out.say(WORDS.runbook), of: ({ runbook }) => runbook, isLong: true },
      { head: out.say(WORDS.fingerprint), of: ({ fingerprint }) => fingerprint },
    ]);
    return undefined;
  },
});
