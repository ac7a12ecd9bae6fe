import { command, localTime, type Output, pagingOptions, showPage } from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { DLQ_SOURCES, DLQ_STATES } from "../contract/states.ts";
import { DLQ } from "./i18n.ts";
import { colourOf, type DeadLetter } from "./shown.ts";

/** The options that select dead letters. */
export const letterFilter = {
  error: { says: DLQ.filterError, value: "code" },
  source: { says: DLQ.filterSource, value: "source", choices: DLQ_SOURCES },
  from: { says: DLQ.filterFrom, value: "time", time: true },
  to: { says: DLQ.filterTo, value: "time", time: true },
} as const;

export const dlqList = command({
  name: "dlq list",
  isDefault: true,
  says: {
    en: "Lists messages that could not become executions, newest first or drawn at random",
    ko: "실행이 되지 못한 메시지를 최신순 또는 무작위로 보여 줍니다",
  },
  example: "andon dlq list --state DEAD --sample",
  options: {
    state: { says: DLQ.filterState, value: "state", choices: DLQ_STATES },
    ...letterFilter,
    sample: { says: DLQ.sample },
    ...pagingOptions,
  },
  async run({ options: { sample, ...filter }, clientOf, out }) {
    const drawn = sample ? ({ sample: "true" } as const) : {};
    const page = await clientOf(FILEFLOW_ROUTES).dlq.list({ ...filter, ...drawn });
    showPage(out, page, [
      { head: out.say(DLQ.id), of: ({ id }) => id, isKept: true },
      { head: out.say(DLQ.state), of: ({ state }) => state, colour: ({ state }) => colourOf(state) },
      { head: out.say(DLQ.error), of: ({ error }) => error },
      { head: out.say(DLQ.source), of: ({ source }) => source },
      { head: out.say(DLQ.redrives), of: ({ redriveCount }) => redriveCount, side: "right" },
      { head: out.say(DLQ.received), of: ({ receivedAt }) => localTime(receivedAt) },
      { head: out.say(DLQ.reasons), of: ({ reasons }) => reasons.join("; "), isLong: true },
    ]);
    return undefined;
  },
});

export const dlqShow = command({
  name: "dlq show",
  says: {
    en: "Shows one dead letter: why it died, the message as it came, and what happened to it",
    ko: "DLQ 메시지 하나의 원인, 원문, 이력을 보여 줍니다",
  },
  example: "andon dlq show 0198c0de-0000-7000-8000-000000000000",
  given: { id: { says: DLQ.idGiven } },
  async run({ given: { id }, clientOf, out }) {
    const letter = await clientOf(FILEFLOW_ROUTES).dlq.show({ id });
    out.answer(letter, () => [factsOf(out, letter), letter.body, historyOf(out, letter)].join("\n\n"));
    return undefined;
  },
});

function factsOf(out: Output, letter: DeadLetter): string {
  return out.list([
    [out.say(DLQ.id), letter.id],
    [out.say(DLQ.state), letter.state, colourOf(letter.state)],
    [out.say(DLQ.error), letter.error, "red"],
    [out.say(DLQ.reasons), letter.reasons.join("; ")],
    [out.say(DLQ.source), letter.source],
    [out.say(DLQ.received), localTime(letter.receivedAt)],
    [out.say(DLQ.redrives), letter.redriveCount],
    [out.say(DLQ.key), letter.idempotencyKey],
    [out.say(DLQ.execution), letter.executionId],
  ]);
}

function historyOf(out: Output, { lineage }: DeadLetter): string {
  return out.table(
    [
      { head: out.say(DLQ.history), of: ({ event }) => event },
      { head: out.say(DLQ.received), of: ({ at }) => localTime(at) },
      { head: out.say(DLQ.by), of: ({ by }) => by },
      { head: out.say(DLQ.execution), of: ({ executionId }) => executionId },
      { head: out.say(DLQ.reason), of: ({ reason }) => reason, isLong: true },
    ],
    lineage,
  );
}
