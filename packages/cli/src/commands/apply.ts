import { HELP } from "../i18n/help.ts";
import { WORDS } from "../i18n/words.ts";
import { isConfirmed, needTerminal } from "../terminal/ask.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { writeAnswer } from "../terminal/follow.ts";
import { planView } from "../terminal/plan-view.ts";

export const apply = command({
  name: "apply",
  says: {
    en: "Shows what a plan would do, asks, and applies it to exactly the frozen jobs, or to none of them",
    ko: "계획대로 하면 어떻게 될지 보여 주고 확인을 받은 뒤, 고정된 작업 전부에 적용하거나 전혀 적용하지 않습니다",
  },
  example: "andon apply 0198c0de-0000-7000-8000-000000000000",
  given: { plan: { says: HELP.planId } },
  options: { yes: { says: HELP.yes } },
  async run(use) {
    const { given, options, client, out } = use;
    if (!options.yes) {
      needTerminal(use);
      const plan = await client.plans.show({ id: given.plan });
      out.aside(planView(plan, out));
      // The server refuses a plan that is used or expired, so no confirmation is needed.
      if (plan.state === "OPEN" && !(await isConfirmed(use))) {
        out.note(WORDS.notApplied);
        return EXIT.refused;
      }
    }
    const answer = await client.plans.apply({ id: given.plan });
    return writeAnswer(use, answer, ({ requestedCount }) =>
      requestedCount > 0 ? [out.say(WORDS.alsoRequested, { count: requestedCount })] : [],
    );
  },
});
