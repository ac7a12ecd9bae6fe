import { existsSync } from "node:fs";
import { AndonError, checkedOptions, duration, type QueueRules } from "@andon/contract";
import * as z from "zod";
import type { Handler, StageHandlers } from "../worker/handler.ts";
import type { IsolationKind, RunnerSpec } from "../worker/isolation/runner-channel.ts";
import { handlerOfStages, refuseRollBacks } from "../worker/stage-handlers.ts";

export const workOptionsSchema = z.strictObject({
  places: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      "How many jobs of this queue run at once in this process, at most the queue's `concurrency`. Default: `concurrency`, else 8.",
    ),
  grace: duration
    .default(30_000)
    .describe(
      "How long running jobs may take to finish when the worker closes. Jobs that are still running after that go back to their places.",
    ),
  isolate: z
    .enum(["thread", "process"])
    .optional()
    .describe(
      "Runs the handler, given as the URL of its module, in threads of this process or in processes of its own, at most `places` of them. A thread or process that blocks or crashes is ended and replaced. Default: none; the handler is a function and runs in this thread.",
    ),
  resourceLimits: z
    .strictObject({
      maxOldMemoryMb: z
        .number()
        .int()
        .min(16)
        .optional()
        .describe(
          "How much memory the JavaScript objects of one such process may take, in MiB. A process that needs more is ended. Default: Node's own limit.",
        ),
    })
    .prefault({})
    .describe(
      'Limits of each process. Only with `isolate: "process"`: a thread that runs out of memory may end the whole process.',
    ),
  execArgv: z
    .array(z.string())
    .optional()
    .describe(
      "Node's command-line arguments for the threads or processes; only with `isolate`. Default: those of this process.",
    ),
});
export type WorkOptions = z.input<typeof workOptionsSchema>;

const DEFAULT_PLACES = 8;

export interface WorkPlan {
  readonly places: number;
  readonly grace: number;
  readonly isolation: (RunnerSpec & { kind: IsolationKind }) | undefined;
  /** One handler made of the handlers of the stages; undefined if a single handler was given. */
  readonly staged: Handler<never> | undefined;
}

export function workPlan(
  queue: string,
  handler: unknown,
  options: WorkOptions | undefined,
  rules: QueueRules,
): WorkPlan {
  const given = checkedOptions("the worker's options", workOptionsSchema, options);
  const { places, grace } = given;
  const isPerStage =
    typeof handler === "object" && handler !== null && !(handler instanceof URL) && !!rules.stages;
  const staged = isPerStage ? handlerOfStages(queue, rules, handler as StageHandlers<never>) : undefined;
  if (!staged) refuseRollBacks(rules);
  return {
    staged,
    places: Math.min(
      places ?? rules.concurrency ?? DEFAULT_PLACES,
      rules.concurrency ?? Number.POSITIVE_INFINITY,
    ),
    grace,
    isolation: isolationOf(staged ?? handler, given),
  };
}

function isolationOf(handler: unknown, given: z.output<typeof workOptionsSchema>): WorkPlan["isolation"] {
  const { isolate: kind, execArgv } = given;
  const { maxOldMemoryMb } = given.resourceLimits;
  if (handler instanceof URL) {
    if (!kind)
      invalid("isolate", "missing", '"thread" or "process" where the handler is the URL of a module');
    if (handler.protocol !== "file:" || !existsSync(handler))
      invalid("handler", handler.href, "the file URL of a module that exists");
    if (maxOldMemoryMb && kind !== "process") onlyOfProcesses(maxOldMemoryMb);
    return { kind, module: handler.href, execArgv, maxOldMemoryMb };
  }
  if (typeof handler !== "function")
    invalid("handler", `a ${typeof handler}`, "a function, or with `isolate` the URL of a module");
  if (kind)
    invalid(
      "isolate",
      `"${kind}" with a function`,
      'the URL of a module whose default export is the handler, such as new URL("./resize.js", import.meta.url)',
    );
  if (execArgv) invalid("execArgv", JSON.stringify(execArgv), "nothing without `isolate`");
  if (maxOldMemoryMb) onlyOfProcesses(maxOldMemoryMb);
  return undefined;
}

/**
 * V8 ends only the thread if it notices the memory limit in time; otherwise it ends the whole process, with every job
 * in it.
 */
function onlyOfProcesses(maxOldMemoryMb: number): never {
  return invalid(
    "resourceLimits.maxOldMemoryMb",
    String(maxOldMemoryMb),
    'nothing without `isolate: "process"`',
  );
}

function invalid(option: string, given: string, allowed: string): never {
  throw new AndonError("INVALID_OPTION", { where: "the worker's options", option, given, allowed });
}

export interface WorkerHandle {
  /** Stops claiming and waits for running jobs, at most for `grace`. Jobs that are still running after that go back to their places. */
  close(): Promise<void>;
}
