import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions } from "../terminal/common-options.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";

export const auditList = command({
  name: "audit list",
  isDefault: true,
  says: { en: "Lists decisions of operators, newest first", ko: "운영자의 결정을 최신순으로 보여 줍니다" },
  example: "andon audit list --target queue:{queue}",
  options: {
    target: {
      says: {
        en: "only about this, such as queue:{queue} or job:<uuid>",
        ko: "이 대상만. 예: queue:{queue}, job:<uuid>",
      },
      value: "target",
    },
    actor: { says: { en: "only by this person or key", ko: "이 사람 또는 키의 것만" }, value: "actor" },
    action: { says: { en: "only this action", ko: "이 행위만" }, value: "action" },
    ...pagingOptions,
  },
  async run({ options, client, out }) {
    showPage(out, await client.audit.list(options), [
      { head: out.say(WORDS.at), of: ({ at }) => localTime(at) },
      { head: out.say(WORDS.by), of: ({ actor }) => actor },
      { head: out.say(WORDS.action), of: ({ action }) => action },
      { head: out.say(WORDS.target), of: ({ target }) => target, isLong: true },
      { head: out.say(WORDS.reason), of: ({ reason }) => reason, isLong: true },
    ]);
    return undefined;
  },
});

export const auditVerify = command({
  name: "audit verify",
  says: {
    en: "Checks the chain of hashes: whether a row was changed or removed; ends with 1 if so",
    ko: "해시 체인을 검사해 바뀌거나 지워진 행이 있는지 확인합니다. 있으면 종료 코드 1",
  },
  example: "andon audit verify",
  options: {
    full: {
      says: {
        en: "read the whole log, also what an earlier check found to hold",
        ko: "이전 검증에서 온전했던 부분까지 전체 로그를 읽음",
      },
    },
  },
  async run({ client, options, out }) {
    const answer = await client.audit.verify(options.full ? { full: "true" } : {});
    out.answer(answer, () => {
      const { broken, rows, head } = answer;
      if (!broken) return out.paint("green", out.say(WORDS.auditHolds, { rows, head }));
      return out.paint("red", out.say(WORDS.auditBroken, { seq: broken.seq, problem: broken.problem }));
    });
    return answer.holds ? EXIT.ok : EXIT.refused;
  },
});
