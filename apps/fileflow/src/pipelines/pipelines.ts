import { AndonError } from "@andon/contract";
import { FileflowError } from "../contract/errors.ts";
import type { FileflowSettings, PipelineSettings, StageSettings } from "../contract/settings.ts";
import { type Matched, matches } from "./match.ts";

/** A stage of a pipeline. `id` is the engine's name of the stage, unique over all pipelines. */
export interface PipelineStage extends StageSettings {
  readonly id: string;
  readonly name: string;
}

export interface Pipeline extends Omit<PipelineSettings, "stages"> {
  readonly stages: readonly PipelineStage[];
}

const DEFAULT_PIPELINE = "default";
const DEFAULT_STAGES = [
  { use: "probe", timeout: 60_000 },
  { use: "image", timeout: 60_000 },
  { use: "text", timeout: 180_000 },
  { use: "ocr", timeout: 300_000 },
  { use: "publish", timeout: 30_000 },
];
const DEFAULT_RETRY = { type: "exponential", max: 3, delay: 2_000, maxDelay: 300_000 } as const;
/** The engine allows this many stages per queue. */
const MOST_STAGES = 100;

/** The pipelines of the settings, validated. `default` always exists and is the last one. */
export class Pipelines {
  readonly all: readonly Pipeline[];
  readonly #byCode: ReadonlyMap<string, Pipeline>;

  constructor({ pipelines }: Pick<FileflowSettings, "pipelines">, programs: readonly string[]) {
    const given = pipelines.map(pipelineOf);
    const own = given.find(({ code }) => code === DEFAULT_PIPELINE);
    this.all = [...given.filter((one) => one !== own), own ?? defaultPipeline()];
    this.#byCode = new Map(this.all.map((pipeline) => [pipeline.code, pipeline]));
    this.#check(programs);
  }

  find(code: string): Pipeline | undefined {
    return this.#byCode.get(code);
  }

  mustFind(code: string): Pipeline {
    const found = this.find(code);
    if (!found)
      throw new FileflowError("PIPELINE_UNKNOWN", { code, known: [...this.#byCode.keys()].join(", ") });
    return found;
  }

  /** The first pipeline that matches this event. */
  for(event: Matched): Pipeline {
    return this.all.find(({ match }) => match && matches(match, event)) ?? this.mustFind(DEFAULT_PIPELINE);
  }

  #check(programs: readonly string[]): void {
    const codes = this.all.map(({ code }) => code);
    const twice = codes.find((code, at) => codes.indexOf(code) !== at);
    if (twice !== undefined) refuse("code", twice, "each code once");
    for (const { code, stages } of this.all) {
      const names = stages.map(({ name }) => name);
      const same = names.find((name, at) => names.indexOf(name) !== at);
      if (same !== undefined) refuse(`${code}.stages`, same, "each name once");
      const unknown = stages.find(({ use }) => !programs.includes(use));
      if (unknown) refuse(`${code}.stages.use`, unknown.use, programs.join(", "));
    }
    const count = this.all.reduce((sum, { stages }) => sum + stages.length, 0);
    if (count > MOST_STAGES) refuse("pipelines", `${count} stages`, `at most ${MOST_STAGES} stages in all`);
  }
}

function refuse(option: string, given: string, allowed: string): never {
  throw new AndonError("INVALID_OPTION", { where: "fileflow.pipelines", option, given, allowed });
}

function pipelineOf(settings: PipelineSettings): Pipeline {
  const { code } = settings;
  const stages = settings.stages.map((stage) => {
    const name = stage.name ?? stage.use;
    return { ...stage, name, id: code === DEFAULT_PIPELINE ? name : `${code}:${name}` };
  });
  return { ...settings, stages };
}

function defaultPipeline(): Pipeline {
  return pipelineOf({
    code: DEFAULT_PIPELINE,
    priority: 0,
    stages: DEFAULT_STAGES.map((stage) => ({ ...stage, retry: DEFAULT_RETRY, rollBack: true })),
  });
}
