import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, reasonOption } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";
import { onOneLine } from "../terminal/width.ts";

export const schedulesList = command({
  name: "schedules list",
  isDefault: true,
  says: {
    en: "Lists schedules by name, with their next runs",
    ko: "스케줄과 다음 실행 시각을 이름순으로 보여 줍니다",
  },
  example: "andon schedules list",
  options: pagingOptions,
  async run({ options, client, out }) {
    showPage(out, await client.schedules.list(options), [
      { head: out.say(WORDS.name), of: ({ name }) => name },
      { head: out.say(WORDS.queue), of: ({ queue }) => queue },
      { head: out.say(WORDS.cron), of: ({ cron }) => cron },
      { head: out.say(WORDS.timeZone), of: ({ timeZone }) => timeZone },
      {
        head: out.say(WORDS.next),
        of: ({ isActive, nextAt }) => (isActive ? nextAt && localTime(nextAt) : out.say(WORDS.off)),
        colour: ({ isActive }) => (isActive ? undefined : "dim"),
      },
    ]);
    return undefined;
  },
});

const given = { name: { says: HELP.scheduleName } } as const;

export const schedulesActivate = command({
  name: "schedules activate",
  says: {
    en: "Activates a schedule: it fires again at its due times",
    ko: "스케줄을 활성화합니다. 예정된 시각에 다시 작업을 추가합니다",
  },
  example: "andon schedules activate nightly",
  given,
  options: reasonOption,
  async run({ given: { name }, options, client, out }) {
    const answer = await client.schedules.activate({ name, reason: options.reason });
    out.answer(answer, () => {
      const { nextAt } = answer.schedule;
      const facts = { name: onOneLine(name), next: nextAt ? localTime(nextAt) : "-" };
      return out.say(answer.changed ? WORDS.scheduleOn : WORDS.scheduleSame, facts);
    });
    return undefined;
  },
});

export const schedulesDeactivate = command({
  name: "schedules deactivate",
  says: {
    en: "Deactivates a schedule: it does not fire until it is activated",
    ko: "스케줄을 비활성화합니다. 다시 활성화할 때까지 작업을 추가하지 않습니다",
  },
  example: 'andon schedules deactivate nightly --reason "maintenance"',
  given,
  options: reasonOption,
  async run({ given: { name }, options, client, out }) {
    const answer = await client.schedules.deactivate({ name, reason: options.reason });
    const said = answer.changed ? WORDS.scheduleOff : WORDS.scheduleSame;
    out.answer(answer, () => out.say(said, { name: onOneLine(name) }));
    return undefined;
  },
});
