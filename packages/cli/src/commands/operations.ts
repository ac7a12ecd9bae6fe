import type { Answer } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { OPERATION_STATES, WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions, reasonOption } from "../terminal/common-options.ts";
import type { Output } from "../terminal/output.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";

type Operation = Answer<(typeof ROUTES)["operations"]["show"]>;

const given = {
  operation: { says: { en: "the operation's id", ko: "일괄 처리 ID" } },
} as const;

export const operationsList = command({
  name: "operations list",
  isDefault: true,
  says: {
    en: "Lists decisions over many jobs with their progress, newest first",
    ko: "여러 작업에 대한 결정과 진행 상황을 최신순으로 보여 줍니다",
  },
  example: "andon operations list --running",
  options: {
    queue: { says: { en: "only those of this queue", ko: "이 큐의 것만" }, value: "queue" },
    running: { says: { en: "only those that have not ended", ko: "끝나지 않은 것만" } },
    ...pagingOptions,
  },
  async run({ options: { running, ...options }, client, out }) {
    const query = { ...options, ...(running ? { running: "true" as const } : {}) };
    showPage(out, await client.operations.list(query), [
      { head: out.say(WORDS.begun), of: ({ createdAt }) => localTime(createdAt) },
      { head: out.say(WORDS.queue), of: ({ queue }) => queue },
      { head: out.say(WORDS.action), of: ({ action }) => action },
      { head: out.say(WORDS.state), of: ({ state }) => out.say(OPERATION_STATES[state]) },
      { head: out.say(WORDS.doneOf), of: ({ done, total }) => `${done}/${total}`, side: "right" },
      { head: out.say(WORDS.leftOutHead), of: ({ leftOut }) => leftOut.count, side: "right" },
      { head: out.say(WORDS.by), of: ({ actor }) => actor },
      { head: out.say(WORDS.id), of: ({ id }) => id, isLong: true },
    ]);
    return undefined;
  },
});

export const operationsShow = command({
  name: "operations show",
  says: {
    en: "Shows the progress of a decision over many jobs, and the jobs that it left out",
    ko: "여러 작업에 대한 결정의 진행 상황과 제외된 작업을 보여 줍니다",
  },
  example: "andon operations show 0198c0de-0000-7000-8000-000000000000",
  given,
  async run({ given: { operation: id }, client, out }) {
    const operation = await client.operations.show({ id });
    out.answer(operation, () => viewOf(operation, out));
    return undefined;
  },
});

export const operationsCancel = command({
  name: "operations cancel",
  says: {
    en: "Ends a decision over many jobs between two steps; what is done stays done",
    ko: "여러 작업에 대한 결정을 도중에 취소합니다. 이미 처리한 작업은 그대로입니다",
  },
  example: 'andon operations cancel 0198c0de-0000-7000-8000-000000000000 --reason "the wrong queue"',
  given,
  options: reasonOption,
  async run({ given: { operation: id }, options: { reason }, client, out }) {
    const operation = await client.operations.cancel({ id, reason });
    out.answer(operation, () => viewOf(operation, out));
    return undefined;
  },
});

function viewOf(operation: Operation, out: Output): string {
  const { state, leftOut, requestedCount, finishedAt } = operation;
  return out.list([
    [out.say(WORDS.id), operation.id],
    [out.say(WORDS.queue), operation.queue],
    [out.say(WORDS.action), operation.action],
    [out.say(WORDS.state), out.say(OPERATION_STATES[state]), state === "FAILED" ? "red" : undefined],
    [out.say(WORDS.doneOf), `${operation.done}/${operation.total}`],
    [out.say(WORDS.asked), requestedCount || null],
    [out.say(WORDS.leftOutHead), leftOut.count],
    [out.say(WORDS.leftOutJobs), leftOut.jobs.join(", ") || null],
    [out.say(WORDS.problem), operation.problem, "red"],
    [out.say(WORDS.by), operation.actor],
    [out.say(WORDS.reason), operation.reason],
    [out.say(WORDS.begun), localTime(operation.createdAt)],
    [out.say(WORDS.ended), finishedAt && localTime(finishedAt)],
  ]);
}
