import type { JobState } from "@andon/contract";
import type { Plan } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { useNumber } from "../ui/number.tsx";
import { Panel } from "../ui/panel.tsx";
import { Time } from "../ui/time.tsx";
import { JobTable } from "./job-table.tsx";

/** The fixed set of jobs of a plan, and what would happen to it. */
export function PlanReach({ plan }: { plan: Plan }) {
  const words = useWords();
  const { plan: say, act, common } = words;
  const number = useNumber();
  const { byState, lanesOpened, waitingBehind, queueStopped, leftOut } = plan.reach;
  const states = Object.entries(byState) as [JobState, number][];
  const lines = [
    say.effect[plan.action](plan.count),
    plan.action === "cancel" && mayHaveLanes(plan) && say.cancelHeads,
    lanesOpened > 0 && say.lanes(lanesOpened, waitingBehind),
    queueStopped && plan.action === "retry" && say.stands,
    leftOut > 0 && say.leftOut(leftOut),
    common.nothingElse,
  ].filter((line) => line !== false && line !== "");
  return (
    <>
      <div>
        <p className="text-lg font-semibold">{say.count(plan.count)}</p>
        <p className="text-soft">
          {states.map(([state, count]) => `${words.state[state]} ${number(count)}`).join(" · ")}
        </p>
        <h3 className="mt-2 text-xs font-semibold text-faint">{act.willHappen}</h3>
        <ul className="list-disc pl-5" data-effects>
          {lines.map((line) => (
            <li key={String(line)}>{line}</li>
          ))}
        </ul>
        <p className="mt-1 text-xs text-faint">
          {say.expires} <Time at={plan.expiresAt} show="both" />
        </p>
      </div>
      <Panel title={say.sample(plan.sample.length, plan.count)}>
        <div className="max-h-[40dvh] overflow-y-auto">
          <JobTable label={say.sample(plan.sample.length, plan.count)} jobs={plan.sample} />
        </div>
      </Panel>
    </>
  );
}

/** True if unknown, because a plan contains only the first jobs of a large set. */
function mayHaveLanes({ sample, count }: Plan): boolean {
  return sample.length < count || sample.some(({ keys }) => keys.length > 0);
}
