import { AndonError, didYouMean, type Job, type Localized, type QueueRules } from "@andon/contract";
import { Unretryable } from "../lifecycle/thrown.ts";
import type { Handler, StageHandler, StageHandlers } from "./handler.ts";

const WHERE: Localized = { en: "the handlers of the stages", ko: "단계 핸들러" };

/** A job is in a stage without a handler in this process. Not retryable: a person has to look. */
class StageUnknown extends Unretryable {
  readonly code = "STAGE_UNKNOWN";
}

/**
 * Makes one handler of the handlers of the stages. Every stage of the rules must have one, and a roll-back if the rules
 * require it.
 */
export function handlerOfStages(
  queue: string,
  rules: QueueRules,
  handlers: StageHandlers<never>,
): Handler<never> {
  const byStage = new Map(Object.entries(handlers).map(([name, given]) => [name, stageHandler(name, given)]));
  checkHandlers(rules, byStage);
  return (job: Job<never>, context) => {
    const found = byStage.get(job.stage ?? "");
    const handler = job.cancelling ? found?.rollBack : found?.run;
    if (handler) return handler(job, context);
    throw new StageUnknown(new AndonError("STAGE_UNKNOWN", { queue, stage: job.stage ?? "-" }).message);
  };
}

/** Refuses one function for all stages if a stage has a roll-back. */
export function refuseRollBacks({ stages }: QueueRules): void {
  const stage = stages?.find(({ rollBack }) => rollBack);
  if (stage)
    invalid(stage.name, "one handler for all stages", "a handler per stage where one has `rollBack: true`");
}

function stageHandler(name: string, given: unknown): StageHandler<never> {
  if (typeof given === "function") return { run: given as Handler<never> };
  const { run, rollBack } = (given ?? {}) as Partial<StageHandler<never>>;
  if (typeof run !== "function" || (rollBack !== undefined && typeof rollBack !== "function"))
    invalid(name, typeof given, "a function, or { run, rollBack }");
  return { run: run as Handler<never>, rollBack };
}

function checkHandlers({ stages = [] }: QueueRules, byStage: ReadonlyMap<string, StageHandler<never>>): void {
  const names = stages.map(({ name }) => name);
  for (const name of byStage.keys())
    if (!names.includes(name))
      throw new AndonError("UNKNOWN_OPTION", { where: WHERE, option: name, hint: didYouMean(name, names) });
  for (const { name, rollBack } of stages) {
    const handler = byStage.get(name);
    if (!handler) invalid(name, "missing", "a handler for every stage of the queue's rules");
    if (rollBack && !handler?.rollBack)
      invalid(`${name}.rollBack`, "missing", "a function: the rules say `rollBack: true`");
    if (!rollBack && handler?.rollBack)
      invalid(
        `${name}.rollBack`,
        "a function",
        "nothing, unless the rules of the stage say `rollBack: true`",
      );
  }
}

function invalid(option: string, given: string, allowed: string): never {
  throw new AndonError("INVALID_OPTION", { where: WHERE, option, given, allowed });
}
