import { command } from "../kit/command.ts";
import { pagingOptions } from "../kit/common-options.ts";
import { showPage } from "../kit/pages.ts";
import { colourOf } from "../kit/paint.ts";
import { localTime } from "../kit/times.ts";
import { WORDS } from "../words/words.ts";

export const alertsList = command({
  name: "alerts list",
  isDefault: true,
  says: {
    en: "Lists alerts with the state of their delivery, newest first; of those that fire, the critical ones first",
    ko: "알림과 전송 상태를 최신순으로 보여 줍니다. 발생 중인 것은 심각한 것부터 보여 줍니다",
  },
  example: "andon alerts list --state firing",
  options: {
    state: {
      says: { en: "only those that are firing, or are resolved", ko: "발생 중이거나 해소된 것만" },
      value: "state",
      choices: ["firing", "resolved"],
    },
    queue: { says: { en: "only of this queue", ko: "이 큐의 것만" }, value: "queue" },
    type: { says: { en: "only of this type", ko: "이 유형만" }, value: "type" },
    ...pagingOptions,
  },
  async run({ options, client, out }) {
    showPage(out, await client.alerts.list(options), [
      { head: out.say(WORDS.fired), of: ({ firedAt }) => localTime(firedAt) },
      {
        head: out.say(WORDS.resolved),
        of: ({ resolvedAt }) => (resolvedAt ? localTime(resolvedAt) : out.say(WORDS.notYet)),
      },
      {
        head: out.say(WORDS.severity),
        of: ({ severity }) => severity,
        colour: ({ severity, resolvedAt }) => (resolvedAt ? "dim" : colourOf(severity)),
      },
      { head: out.say(WORDS.kind), of: ({ type }) => type },
      { head: out.say(WORDS.title), of: ({ title }) => title, isLong: true },
      {
        head: out.say(WORDS.deliveries),
        of: ({ deliveries }) =>
          deliveries.map(({ channel, state }) => `${channel} ${state}`).join(", ") || null,
        isLong: true,
      },
    ]);
    return undefined;
  },
});

export const alertsTest = command({
  name: "alerts test",
  says: { en: "Sends a test alert through every channel", ko: "모든 채널로 시험 알림을 보냅니다" },
  example: "andon alerts test",
  async run({ client, out }) {
    const alert = await client.alerts.test();
    out.answer(alert, () => out.say(WORDS.testAlertSent, { id: alert.id }));
    return undefined;
  },
});
