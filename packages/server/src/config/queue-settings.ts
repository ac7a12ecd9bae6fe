import { type QueueRulesInput, queueRules } from "@andon/contract";
import { type Handler, type WorkOptions, workOptionsSchema } from "@andon/engine";
import * as z from "zod";

/** Queues that the host or its apps bring. A configuration may set their rules without bringing them itself. */
export const BUILT_IN_NAMES = ["nas-sync", "studio", "broadcast", "fileflow"] as const;
/** The queue of messages to send: its rules belong to the alerts. */
const RESERVED_NAME = "outbox";

export const queueSettings = queueRules
  .extend({
    handler: z
      .union([
        z.custom<Handler<never>>((value) => typeof value === "function", "a function"),
        z.instanceof(URL, { error: "the URL of a module" }),
      ])
      .optional()
      .describe(
        "What runs its jobs: a function, or with `work.isolate` the URL of a module. Default: none, another process works it.",
      ),
    work: workOptionsSchema
      .optional()
      .describe("How this process works it: the worker's options of the page on queue rules."),
  })
  .superRefine(({ handler, work }, context) => {
    const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    if (handler instanceof URL && !work?.isolate)
      refuse(["work", "isolate"], '"thread" or "process" where the handler is the URL of a module');
    if (typeof handler === "function" && work?.isolate)
      refuse(["handler"], "the URL of a module where `work.isolate` is set");
  });

export const queueName = z
  .string()
  .regex(/^[a-zA-Z0-9][\w.:-]{0,99}$/, "a name of letters, digits, . : _ -, at most 100")
  .refine((name) => name !== RESERVED_NAME, "another name: the host itself has a queue of this name");

/** As it was written, without defaults: an app's own rules stand wherever a configuration says nothing. */
export type QueueSettings = QueueRulesInput & {
  handler?: Handler<never> | URL | undefined;
  work?: WorkOptions | undefined;
};
