import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { localTime } from "../terminal/times.ts";

export const loginLink = command({
  name: "login-link",
  says: {
    en: "Creates a link that opens the console: it works once, within 15 minutes",
    ko: "콘솔을 여는 링크를 만듭니다. 15분 안에 한 번만 쓸 수 있습니다",
  },
  example: "andon login-link",
  async run({ client, out }) {
    const link = await client.session.link();
    out.answer(link, () => `${link.url}\n${out.say(WORDS.linkMade, { until: localTime(link.expiresAt) })}`);
    return undefined;
  },
});
