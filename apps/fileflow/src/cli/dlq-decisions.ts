import { command, localTime, pagingOptions, reasonOption, reasonRequired, showPage } from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { DLQ } from "./i18n.ts";
import { colourOf } from "./shown.ts";

const EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000000";

export const dlqDiscard = command({
  name: "dlq discard",
  says: {
    en: "Discards a dead letter; it stays in the list as DISCARDED, with the reason",
    ko: "DLQ 메시지를 폐기합니다. 사유와 함께 DISCARDED로 목록에 남습니다",
  },
  example: `andon dlq discard ${EXAMPLE_ID} --reason "test data"`,
  given: { id: { says: DLQ.idGiven } },
  options: reasonRequired,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(FILEFLOW_ROUTES).dlq.discard({ id, reason });
    out.answer(answer, () => out.say(DLQ.discarded, { id }));
    return undefined;
  },
});

export const dlqRedrives = command({
  name: "dlq redrives",
  says: {
    en: "Lists redrives of many dead letters with their progress, newest first",
    ko: "여러 건의 재처리를 진행 상황과 함께 최신순으로 보여 줍니다",
  },
  example: "andon dlq redrives",
  options: pagingOptions,
  async run({ options, clientOf, out }) {
    const page = await clientOf(FILEFLOW_ROUTES).dlq.redrives(options);
    showPage(out, page, [
      { head: out.say(DLQ.redrive), of: ({ redriveId }) => redriveId, isKept: true },
      { head: out.say(DLQ.state), of: ({ state }) => state, colour: ({ state }) => colourOf(state) },
      { head: out.say(DLQ.progress), of: ({ done, total }) => `${done}/${total}`, side: "right" },
      { head: out.say(DLQ.deadAgainHead), of: ({ deadAgain }) => deadAgain, side: "right" },
      { head: out.say(DLQ.startedBy), of: ({ startedBy }) => startedBy },
      { head: out.say(DLQ.startedAt), of: ({ startedAt }) => localTime(startedAt) },
    ]);
    return undefined;
  },
});

export const dlqStop = command({
  name: "dlq stop",
  says: {
    en: "Stops a redrive of many dead letters; messages that it has already sent stay sent",
    ko: "여러 건의 재처리를 중지합니다. 이미 보낸 메시지는 그대로입니다",
  },
  example: `andon dlq stop ${EXAMPLE_ID} --reason "downstream is slow"`,
  given: { id: { says: DLQ.redriveId } },
  options: reasonOption,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(FILEFLOW_ROUTES).dlq.cancelRedrive({ id, reason });
    const { state, done, total } = answer;
    out.answer(answer, () => out.say(DLQ.stopped, { id, state, done, total }));
    return undefined;
  },
});
