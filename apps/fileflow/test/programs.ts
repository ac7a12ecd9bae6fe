import type { StageProgram } from "@andon/fileflow";

/** A stage that does nothing. */
export const noop: StageProgram = { run: async () => ({ facts: {} }) };

/** Stages that wait for the test, and the calls they received. */
export class Gate {
  readonly entered: string[] = [];
  readonly rolledBack: string[] = [];
  #open = false;
  #waiting: (() => void)[] = [];

  readonly program: StageProgram = {
    run: async ({ executionId, signal }) => {
      this.entered.push(executionId);
      await new Promise<void>((resolve, reject) => {
        if (this.#open) return resolve();
        signal.addEventListener("abort", () => reject(signal.reason));
        this.#waiting.push(resolve);
      });
      return { facts: {} };
    },
    rollBack: async ({ executionId }) => {
      this.rolledBack.push(executionId);
    },
  };

  open(): void {
    this.#open = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Stages of a pipeline by their programs. */
export const stagesOf = (...programs: string[]) => programs.map((use) => ({ use }));

/** Settings with one pipeline that replaces the default one. */
export const defaultPipeline = (stages: readonly Record<string, unknown>[]) =>
  ({ fileflow: { pipelines: [{ code: "default", stages }] } }) as never;
