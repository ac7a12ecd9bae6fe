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
        en: "only decisions about this target, such as queue:{queue} or job:<uuid>",
        ko: "이 대상에 관한 결정만. 예: queue:{queue}, job:<uuid>",
      },
      value: "target",
    },
    actor: {
      says: { en: "only decisions of this person or key", ko: "이 사람이나 키가 한 결정만" },
      value: "actor",
    },
    action: {
      says: {
        en: "only decisions with this action, such as queue.resume",
        ko: "이 행위만. 예: queue.resume",
      },
      value: "action",
    },
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
    en: "Checks the hash chain of the audit log: whether a row was changed, removed or inserted; ends with 1 if so",
    ko: "감사 로그의 해시 체인을 검사해 바뀌거나 지워지거나 끼워 넣은 행이 있는지 확인합니다. 있으면 종료 코드 1",
  },
  example: "andon audit verify",
  options: {
    full: {
      says: {
        en: "check the whole log. Default: the rows since the last check and the 5,000 before them",
        ko: "전체 로그를 검사. 기본값: 마지막 검사 이후의 행과 그 앞의 5,000행",
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
