import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import { jobColumns } from "./job-columns.ts";
import type { Output } from "./output.ts";
import { localTime } from "./times.ts";

type Plan = Answer<(typeof ROUTES)["plans"]["show"]>;

/** What a plan would do, for the person who decides about it. */
export function planView(plan: Plan, out: Output): string {
  const { reach } = plan;
  const byState = Object.entries(reach.byState).map(([state, count]) => `${state} ${count}`);
  const facts = out.list([
    [out.say(WORDS.plan), `${plan.id} (${plan.state})`],
    [out.say(WORDS.action), plan.action],
    [out.say(WORDS.queue), plan.queue],
    [out.say(WORDS.reason), plan.reason],
    [out.say(WORDS.jobs), `${plan.count} (${byState.join(", ")})`],
    [out.say(WORDS.leftOut), reach.leftOut || null],
    [out.say(WORDS.lanesOpened), reach.lanesOpened || null],
    [out.say(WORDS.waitingBehind), reach.waitingBehind || null],
    [out.say(WORDS.goodUntil), localTime(plan.expiresAt)],
  ]);
  const parts = [facts, out.table(jobColumns(out), plan.sample)];
  if (reach.queueStopped) parts.push(out.paint("yellow", out.say(WORDS.queueStands, { queue: plan.queue })));
  return parts.join("\n\n");
}
