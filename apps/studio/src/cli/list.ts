import { command, localTime, pagingOptions, showPage } from "@andon/cli/app";
import { STUDIO_ROUTES } from "../contract/routes.ts";
import { TASK_TABS } from "../contract/states.ts";
import { TASK } from "./i18n.ts";
import { colourOfStatus, shownTask } from "./shown-task.ts";

export const taskList = command({
  name: "task list",
  isDefault: true,
  says: {
    en: "Lists tasks, newest scheduled time first",
    ko: "영상 작업을 예약 시각 최신순으로 보여 줍니다",
  },
  example: "andon task list --tab failed",
  options: {
    tab: {
      says: {
        en: `one of ${[...TASK_TABS, "cancelled"].join(", ")}, or another phase. Default: all`,
        ko: `${[...TASK_TABS, "cancelled"].join(", ")} 또는 다른 단계. 기본값: 전체`,
      },
      value: "tab",
    },
    ...pagingOptions,
  },
  async run({ options, clientOf, out }) {
    const page = await clientOf(STUDIO_ROUTES).tasks.list(options);
    showPage(out, page, [
      { head: out.say(TASK.id), of: ({ taskId }) => taskId, isKept: true },
      { head: out.say(TASK.title), of: ({ title }) => title, isLong: true },
      { head: out.say(TASK.phase), of: ({ type }) => type },
      {
        head: out.say(TASK.status),
        of: ({ status }) => status,
        colour: ({ status }) => colourOfStatus(status),
      },
      { head: out.say(TASK.priority), of: ({ priority }) => priority, side: "right" },
      { head: out.say(TASK.scheduled), of: ({ scheduledTime }) => localTime(scheduledTime) },
      { head: out.say(TASK.error), of: ({ error }) => error, isLong: true },
    ]);
    return undefined;
  },
});

export const taskCounts = command({
  name: "task counts",
  says: { en: "Counts the tasks of each tab", ko: "탭별 작업 수를 보여 줍니다" },
  example: "andon task counts",
  async run({ clientOf, out }) {
    const counts = await clientOf(STUDIO_ROUTES).tasks.counts();
    out.answer(counts, () =>
      out.list(
        Object.entries(counts).map(([tab, count]) => [
          tab,
          count,
          tab === "failed" && count > 0 ? "red" : undefined,
        ]),
      ),
    );
    return undefined;
  },
});

export const taskShow = command({
  name: "task show",
  says: {
    en: "Shows one task: its phases with their times, what it waits for, its log",
    ko: "작업 하나의 단계별 시간, 기다리는 것, 로그를 보여 줍니다",
  },
  example: "andon task show 0198c0de-0000-7000-8000-000000000000",
  given: { id: { says: TASK.taskId } },
  async run({ given, clientOf, out }) {
    const task = await clientOf(STUDIO_ROUTES).tasks.show(given);
    out.answer(task, () => shownTask(out, task));
    return undefined;
  },
});
