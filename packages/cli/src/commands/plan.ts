import { PLAN_ACTIONS } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { filterOf, filterOptions, queueOf, queueOption, reasonOption } from "../terminal/common-options.ts";
import { planView } from "../terminal/plan-view.ts";

export const plan = command({
  name: "plan",
  says: {
    en: "Freezes the list of jobs that match and shows what an action on them would do; changes nothing. A plan is valid for 15 minutes",
    ko: "조건에 맞는 작업의 목록을 고정하고 처리하면 어떻게 될지 보여 줍니다. 아무것도 바꾸지 않으며 계획은 15분 동안 유효합니다",
  },
  example: 'andon plan retry --queue {queue} --text ECONNREFUSED --reason "NAS is back"',
  given: {
    action: {
      says: { en: `the action: ${PLAN_ACTIONS.join(", ")}`, ko: `할 일: ${PLAN_ACTIONS.join(", ")}` },
      choices: PLAN_ACTIONS,
    },
  },
  options: { ...queueOption, ...filterOptions, ...reasonOption },
  async run({ defaultQueue, given, options, client, out }) {
    const { reason } = options;
    const queue = queueOf({ defaultQueue }, options.queue);
    const made = await client.plans.create({
      action: given.action,
      queue,
      filter: filterOf(options),
      reason,
    });
    out.answer(made, () => `${planView(made, out)}\n\n${out.say(WORDS.applyWith, { plan: made.id })}`);
    return undefined;
  },
});
