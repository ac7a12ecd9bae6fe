import {
  command,
  EXIT,
  Failure,
  isConfirmed,
  localTime,
  needTerminal,
  type Output,
  reasonOption,
  sleep,
  type Use,
} from "@andon/cli/app";
import type { Answer } from "@andon/client";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { letterFilter } from "./dlq-list.ts";
import { DLQ } from "./i18n.ts";
import type { Redrive } from "./shown.ts";

const LOOK_EVERY_MS = 500;
const DEFAULT_RATE = 10;
const MOST_RATE = 1_000;

export const dlqRedrive = command({
  name: "dlq redrive",
  says: {
    en: "Sends dead letters through the ingest again: one by its id, or many by a plan: shows the plan, asks, and follows the redrive",
    ko: "DLQ 메시지를 다시 처리합니다. 하나는 ID로 처리하고, 여러 건은 계획을 보여 주고 확인을 받은 뒤 진행 상황을 보여 줍니다",
  },
  example: "andon dlq redrive --error PP-400-JSON --rate 20",
  given: { ids: { says: DLQ.idsGiven, optional: true, many: true } },
  options: {
    all: { says: DLQ.all },
    ...letterFilter,
    most: { says: DLQ.most, value: "number", whole: true, most: 100_000 },
    rate: { says: DLQ.rate, value: "number", whole: true, most: MOST_RATE },
    yes: { says: DLQ.yes },
    ...reasonOption,
  },
  async run(use) {
    const { given, options, clientOf, out } = use;
    const { all, error, source, from, to, most, rate = DEFAULT_RATE, reason } = options;
    const ids = given.ids ?? [];
    const filter = { error, source, from, to };
    const isFiltered = all || Object.values(filter).some((value) => value !== undefined);
    if (ids.length === 0 && !isFiltered) throw new Failure(EXIT.usage, DLQ.which);
    if (ids.length > 0 && isFiltered) throw new Failure(EXIT.usage, DLQ.both);
    const { dlq } = clientOf(FILEFLOW_ROUTES);
    const [id] = ids;
    if (id !== undefined && ids.length === 1) {
      const answer = await dlq.redriveOne({ id, reason });
      out.answer(answer, () => outcomeOf(out, answer));
      return answer.state === "REDRIVEN" ? EXIT.ok : EXIT.refused;
    }
    if (!options.yes) needTerminal(use);
    const which = ids.length > 0 ? { ids: [...ids] } : { filter };
    const plan = await dlq.plan({ ...which, limit: most });
    if (!options.yes) {
      out.aside(planView(out, plan, rate));
      if (!(await isConfirmed(use))) {
        out.note(DLQ.nothingDone);
        return EXIT.refused;
      }
    }
    return follow(use, await dlq.redriveMany({ planId: plan.planId, ratePerSecond: rate, reason }));
  },
});

type Redriven = Answer<(typeof FILEFLOW_ROUTES)["dlq"]["redriveOne"]>;
type Plan = Answer<(typeof FILEFLOW_ROUTES)["dlq"]["plan"]>;

function outcomeOf(out: Output, { id, state, executionId, error, reasons }: Redriven): string {
  if (state === "REDRIVEN") return out.say(DLQ.redriven, { id, execution: executionId ?? "-" });
  return out.say(DLQ.deadAgain, { id, state, error: error ?? "", reasons: reasons.join("; ") });
}

/** The exact content of a plan, for the operator's decision. */
function planView(out: Output, plan: Plan, rate: number): string {
  const byError = Object.entries(plan.byError).map(([error, count]) => `${error} ${count}`);
  const facts = out.list([
    [out.say(DLQ.plan), plan.planId],
    [out.say(DLQ.willSend), plan.total],
    [out.say(DLQ.leftOut), plan.leftOut || null],
    [out.say(DLQ.error), byError.join(", ")],
    [out.say(DLQ.takes), out.say(DLQ.seconds, { seconds: Math.ceil(plan.total / rate), rate })],
    [out.say(DLQ.expires), localTime(plan.expiresAt)],
  ]);
  const sample = out.table(
    [
      { head: out.say(DLQ.id), of: ({ id }) => id },
      { head: out.say(DLQ.error), of: ({ error }) => error },
      { head: out.say(DLQ.redrives), of: ({ redriveCount }) => redriveCount, side: "right" },
      { head: out.say(DLQ.received), of: ({ receivedAt }) => localTime(receivedAt) },
    ],
    plan.sample,
  );
  return `${facts}\n\n${sample}`;
}

/** Waits for the end of the redrive, with a progress bar. Ctrl-C ends the wait, not the redrive. */
async function follow(
  { clientOf, out, shell }: Pick<Use, "clientOf" | "out" | "shell">,
  started: Redrive,
): Promise<number> {
  const { dlq } = clientOf(FILEFLOW_ROUTES);
  const signal = shell.interruption();
  const progress = out.progress(started.total);
  let redrive = started;
  try {
    while (redrive.state === "RUNNING") {
      await sleep(LOOK_EVERY_MS, signal);
      redrive = await dlq.redriveProgress({ id: started.redriveId }, { signal });
      progress.at(redrive.done);
    }
  } finally {
    progress.end();
    if (signal.aborted) out.note(DLQ.goesOn, { id: started.redriveId });
  }
  const { state, redriven, total, deadAgain, leftOut } = redrive;
  out.answer(redrive, () => out.say(DLQ.ended, { state, redriven, total, deadAgain, leftOut }));
  return state === "DONE" && deadAgain === 0 ? EXIT.ok : EXIT.refused;
}
