import { FlakyStorage } from "@andon/storage/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { failureOf, filesIn, known, put, read } from "../bytes.ts";
import type { Ground } from "./ground.ts";

const paths = fc.constantFrom("a", "b", "d/a", "d/b", "e/f/a");
const texts = fc.constantFrom("", "one", "other", "a third text");
/** When a run dies, if at all. After its death it is repeated, as by the next claim of its job. */
const deaths = fc.constantFrom("none", "after", "mid-write");

const steps = fc.oneof(
  fc.record({ do: fc.constant("put" as const), path: paths, text: texts, death: deaths }),
  fc.record({ do: fc.constant("move" as const), from: paths, to: paths, text: texts, death: deaths }),
  fc.record({ do: fc.constant("remove" as const), path: paths, death: deaths }),
  fc.record({ do: fc.constant("prune" as const), path: fc.constantFrom("d", "e/f"), death: deaths }),
);
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** The expected state: the text at each path. */
type Model = Map<string, string>;

function expectedOf(model: Model, step: Step): string | undefined {
  switch (step.do) {
    case "put": {
      const there = model.get(step.path);
      if (there !== undefined && there !== step.text) return "TARGET_EXISTS";
      model.set(step.path, step.text);
      return undefined;
    }
    case "move": {
      const [source, target] = [model.get(step.from), model.get(step.to)];
      if (source === undefined) {
        if (target === undefined) return "SOURCE_MISSING";
        return target === step.text ? undefined : "TARGET_EXISTS";
      }
      if (source !== step.text) return "SOURCE_CHANGED";
      if (step.from === step.to) return undefined;
      if (target !== undefined) return "TARGET_EXISTS";
      model.delete(step.from);
      model.set(step.to, source);
      return undefined;
    }
    case "remove":
      model.delete(step.path);
      return undefined;
    case "prune":
      return undefined;
  }
}

export function describeRandomUse({ storage, at }: Ground, runs: number): void {
  it("keeps exactly what was stored, through any sequence of operations, deaths and repetitions", async () => {
    let world = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), async (sequence) => {
        const flaky = new FlakyStorage(storage());
        const here = (path: string) => at(`w${world}/${path}`);
        world++;
        const model: Model = new Map();
        let fence = 0;
        const run = async (step: Step) => {
          const temporary = `job-${++fence}`;
          if (step.do === "move") return await flaky.move(here(step.from), here(step.to), known(step.text));
          if (step.do === "remove") return await flaky.remove(here(step.path));
          if (step.do === "prune") return await flaky.removeFolderIfEmpty(here(step.path), { upwards: true });
          await flaky.removeTemporaries(here(step.path), temporary);
          return await put(flaky, here(step.path), step.text, temporary);
        };
        try {
          for (const step of sequence) {
            if (step.death === "after") {
              flaky.dieAfterNext(step.do === "prune" ? "removeFolderIfEmpty" : step.do);
              await failureOf(run(step));
            } else if (step.death === "mid-write" && step.do === "put" && step.text !== "") {
              flaky.dieMidWrite(1);
              await failureOf(run(step));
            }
            flaky.recover();
            const expected = expectedOf(model, step);
            const { code } = await failureOf(run(step));
            expect(code).toBe(expected);
          }
          const files = await filesIn(storage(), here("").slice(0, -1));
          expect(files).toEqual([...model.keys()].sort().map(here));
          for (const [path, text] of model) expect(await read(storage(), here(path))).toBe(text);
        } finally {
          flaky.recover();
        }
      }),
      { numRuns: runs },
    );
  }, 60_000);
}
