import { type Allowed, allows, type QueueRulesInput, queueRules } from "@andon/contract";
import { type Handler, type StageHandlers, type WorkOptions, workOptionsSchema } from "@andon/engine";
import * as z from "zod";

/** The queue of outgoing messages. The alerts define its rules. */
const RESERVED_NAME = "outbox";

const ISOLATED = allows(
  '"thread" or "process" where the handler is the URL of a module',
  '핸들러가 모듈의 URL이면 "thread" 또는 "process"',
);
const OF_A_MODULE = allows(
  "the URL of a module where `work.isolate` is set",
  "`work.isolate`를 설정했으면 모듈의 URL",
);

function isPerStage(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof URL) && !Array.isArray(value);
}

export const queueSettings = queueRules
  .extend({
    handler: z
      .union([
        z.custom<Handler<never>>((value) => typeof value === "function", allows("a function", "함수")),
        z.custom<StageHandlers<never>>(isPerStage, allows("a handler per stage", "단계별 핸들러")),
        z.instanceof(URL, { error: "the URL of a module" }),
      ])
      .optional()
      .describe(
        "What runs its jobs: a function, for a queue with stages a handler per stage, or with `work.isolate` the URL of a module. Default: none, another process works it.",
      ),
    work: workOptionsSchema
      .optional()
      .describe("How this process works it: the worker's options of the page on queue rules."),
  })
  .superRefine(({ handler, work }, context) => {
    const refuse = (path: string[], { error, params }: Allowed) =>
      context.addIssue({ code: "custom", path, message: error, params });
    if (handler instanceof URL && !work?.isolate) refuse(["work", "isolate"], ISOLATED);
    if (typeof handler === "function" && work?.isolate) refuse(["handler"], OF_A_MODULE);
  });

export const queueName = z
  .string()
  .refine(
    (name) => /^[a-zA-Z0-9][\w.:-]{0,99}$/.test(name),
    allows(
      "a name of letters, digits, . : _ -, at most 100",
      "영문자, 숫자, . : _ - 로 된 100자 이하의 이름",
    ),
  )
  .refine(
    (name) => name !== RESERVED_NAME,
    allows(
      "another name: the host itself has a queue of this name",
      "다른 이름: 서버 자체에 이 이름의 큐가 있습니다",
    ),
  );

/** As written, without defaults: an app's own rules apply where a configuration gives none. */
export type QueueSettings = QueueRulesInput & {
  handler?: Handler<never> | StageHandlers<never> | URL | undefined;
  work?: WorkOptions | undefined;
};
