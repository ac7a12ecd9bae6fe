import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { colourOf } from "../terminal/paint.ts";
import { onOneLine } from "../terminal/width.ts";

export const why = command({
  name: "why",
  says: {
    en: "Says in one sentence why a job is not running, with the rule that decides",
    ko: "작업이 왜 실행되지 않는지 한 문장으로, 그렇게 정한 규칙과 함께 알려 줍니다",
  },
  example: "andon why 123",
  given: { job: { says: HELP.job } },
  async run({ given, client, out }) {
    const answer = await client.jobs.why({ id: given.job });
    out.answer(answer, () => {
      const facts = out.list([
        [out.say(WORDS.state), answer.state, colourOf(answer.state)],
        [out.say(WORDS.rule), answer.rule],
      ]);
      return `${onOneLine(answer.sentence)}\n${facts}`;
    });
    return undefined;
  },
});
