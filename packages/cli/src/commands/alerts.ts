import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, reasonOption } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { colourOf } from "../terminal/paint.ts";
import { localTime } from "../terminal/times.ts";

export const alertsList = command({
  name: "alerts list",
  isDefault: true,
  says: {
    en: "Lists alerts with the state of their delivery, newest first; with --state firing, critical ones come first",
    ko: "알림과 전송 상태를 최신순으로 보여 줍니다. --state firing이면 심각한 것부터 보여 줍니다",
  },
  example: "andon alerts list --state firing",
  options: {
    state: {
      says: {
        en: "only alerts that are firing, or only resolved ones",
        ko: "발생 중인 것만, 또는 해소된 것만",
      },
      value: "state",
      choices: ["firing", "resolved"],
    },
    queue: { says: { en: "only alerts about this queue", ko: "이 큐의 것만" }, value: "queue" },
    type: { says: { en: "only alerts of this type", ko: "이 유형만" }, value: "type" },
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
      { head: "id", of: ({ id }) => id, isLong: true },
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

const given = { id: { says: HELP.alertId } } as const;

export const alertsAck = command({
  name: "alerts ack",
  says: {
    en: "Acknowledges an open alert: it sends no further updates",
    ko: "열린 알림을 확인 처리합니다. 이후 갱신 메시지를 보내지 않습니다",
  },
  example: 'andon alerts ack 01a1ec6f-0fe4-70d0-ac97-b500799d10df --reason "on it"',
  given,
  options: reasonOption,
  async run({ given: { id }, options: { reason }, client, out }) {
    const alert = await client.alerts.acknowledge({ id, reason });
    out.answer(alert, () => out.say(WORDS.alertAcknowledged, { id }));
    return undefined;
  },
});

export const alertsSnooze = command({
  name: "alerts snooze",
  says: {
    en: "Snoozes an open alert: until then it sends nothing but its end",
    ko: "열린 알림을 미룹니다. 그때까지는 해소 메시지만 보냅니다",
  },
  example: "andon alerts snooze 01a1ec6f-0fe4-70d0-ac97-b500799d10df --for 30m",
  given,
  options: {
    for: {
      says: { en: "for how long, such as 30m. Default: 1h", ko: "기간. 예: 30m. 기본값: 1h" },
      value: "duration",
    },
    until: {
      says: { en: "until this time (ISO 8601, UTC)", ko: "이 시각까지 (ISO 8601, UTC)" },
      value: "time",
    },
    ...reasonOption,
  },
  async run({ given: { id }, options, client, out }) {
    const { until, reason } = options;
    const length = options.for ?? (until === undefined ? "1h" : undefined);
    const alert = await client.alerts.snooze({ id, until, for: length, reason });
    const ends = alert.snoozed ? localTime(alert.snoozed.until) : "";
    out.answer(alert, () => out.say(WORDS.alertSnoozed, { id, until: ends }));
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
