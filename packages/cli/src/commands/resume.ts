import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, queueArgument, reasonOption } from "../kit/common-options.ts";
import { onOneLine } from "../kit/width.ts";
import { WORDS } from "../words/words.ts";

export const resume = command({
  name: "resume",
  says: { en: "Lets a stopped queue go on", ko: "정지된 큐를 재개합니다" },
  example: "andon resume nas-sync",
  given: queueArgument,
  options: reasonOption,
  async run({ given, options, client, out }) {
    const answer = await client.queues.resume({
      queue: given.queue ?? DEFAULT_QUEUE,
      reason: options.reason,
    });
    out.answer(answer, () => {
      const { pendingJobs, unresolvedFailed } = answer;
      const lines = [onOneLine(answer.message), out.say(WORDS.pending, { count: pendingJobs })];
      if (unresolvedFailed > 0) lines.push(out.say(WORDS.unresolved, { count: unresolvedFailed }));
      return lines.join("\n");
    });
    return undefined;
  },
});
