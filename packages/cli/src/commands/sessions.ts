import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";
import { onOneLine } from "../terminal/width.ts";

export const sessionsList = command({
  name: "sessions list",
  isDefault: true,
  says: {
    en: "Lists the open logins of the console, newest first",
    ko: "열려 있는 콘솔 로그인을 최신순으로 보여 줍니다",
  },
  example: "andon sessions list",
  options: pagingOptions,
  async run({ options, client, out }) {
    showPage(out, await client.sessions.list(options), [
      { head: out.say(WORDS.id), of: ({ id }) => id },
      { head: out.say(WORDS.by), of: ({ actor }) => actor, isLong: true },
      { head: out.say(WORDS.tenant), of: ({ tenantId }) => tenantId },
      { head: out.say(WORDS.made), of: ({ createdAt }) => localTime(createdAt) },
      { head: out.say(WORDS.expires), of: ({ expiresAt }) => localTime(expiresAt) },
    ]);
    return undefined;
  },
});

export const sessionsEnd = command({
  name: "sessions end",
  says: {
    en: "Ends a login at once; with --all, every login but your own",
    ko: "로그인 하나를 즉시 끝냅니다. --all이면 자신의 것을 뺀 모두를 끝냅니다",
  },
  example: "andon sessions end 0198c0de-0000-7000-8000-000000000000",
  given: {
    session: {
      says: { en: "the login's id, as `andon sessions` shows it", ko: "로그인 ID (`andon sessions`)" },
      optional: true,
    },
  },
  options: { all: { says: { en: "every login but your own", ko: "자신의 것을 뺀 모든 로그인" } } },
  async run({ given, options, client, out }) {
    const { session } = given;
    if (options.all === (session !== undefined)) throw new Failure(EXIT.usage, WORDS.sessionsEndWhat);
    if (session === undefined) {
      const answer = await client.sessions.endOthers();
      out.answer(answer, () => out.say(WORDS.sessionsEnded, { count: answer.ended }));
      return undefined;
    }
    const ended = await client.sessions.end({ id: session });
    out.answer(ended, () => out.say(WORDS.sessionEnded, { actor: onOneLine(ended.actor), id: ended.id }));
    return undefined;
  },
});
