import { command, pagingOptions, showPage } from "@andon/cli/app";
import { BROADCAST_ROUTES } from "../contract/routes.ts";
import { BULK_STATES } from "../contract/states.ts";
import { BULK } from "./i18n.ts";
import { colourOfState, progressOf, shownJob, timeOrDash } from "./shown-job.ts";

export const bulkList = command({
  name: "bulk list",
  isDefault: true,
  says: {
    en: "Lists bulk jobs, newest first: state, progress, rate and estimated end",
    ko: "대량 작업을 최신순으로 보여 줍니다. 상태, 진행, 속도, 예상 종료 시각",
  },
  example: "andon bulk list --state RUNNING",
  options: {
    state: {
      says: { en: "only those in this state", ko: "이 상태인 것만" },
      value: "state",
      choices: BULK_STATES,
    },
    category: { says: { en: "only those of this category", ko: "이 카테고리인 것만" }, value: "category" },
    ...pagingOptions,
  },
  async run({ options, clientOf, out }) {
    const page = await clientOf(BROADCAST_ROUTES).bulkJobs.list(options);
    showPage(out, page, [
      { head: out.say(BULK.id), of: ({ id }) => id },
      { head: out.say(BULK.category), of: ({ category }) => category },
      { head: out.say(BULK.title), of: ({ title }) => title, isLong: true },
      { head: out.say(BULK.state), of: ({ state }) => state, colour: ({ state }) => colourOfState(state) },
      { head: out.say(BULK.progress), of: progressOf, side: "right" },
      { head: out.say(BULK.rate), of: ({ ratePerSecond }) => ratePerSecond ?? "-", side: "right" },
      { head: out.say(BULK.endsAt), of: ({ estimatedEndAt }) => timeOrDash(estimatedEndAt) },
    ]);
    return undefined;
  },
});

export const bulkShow = command({
  name: "bulk show",
  says: {
    en: "Shows one bulk job: progress, cursor, throttle, and what an abort did",
    ko: "대량 작업 하나의 진행, 커서, 속도 제한, 중단 결과를 보여 줍니다",
  },
  example: "andon bulk show 0198c0de-0000-7000-8000-000000000000",
  given: { id: { says: BULK.jobId } },
  async run({ given, clientOf, out }) {
    const job = await clientOf(BROADCAST_ROUTES).bulkJobs.show(given);
    out.answer(job, () => shownJob(out, job));
    return undefined;
  },
});
