import { KINDS } from "@andon/testkit/processes";
import { allPoints, strikeAt } from "@andon/testkit/proof";
import { expect, test } from "vitest";
import { testSeed } from "../processes/test-seed.ts";

/*
 * A process is ended by SIGKILL at a named point and another one continues. `npm run proof` covers every point; these
 * are one of each kind: a claim with its completions, a handler, a failure, a sweep, a decision, a wish, a step of a
 * decision over many jobs, a schedule, an add.
 */
const STRUCK = [
  { verb: "finish-and-claim", moment: "after-commit" },
  { verb: "handler", moment: "before-commit" },
  { verb: "fail", moment: "before-commit" },
  { verb: "give-back", moment: "after-commit" },
  { verb: "stop", moment: "after-commit" },
  { verb: "abort-wish", moment: "after-commit" },
  { verb: "retry", moment: "before-commit" },
  { verb: "operation-step", moment: "after-commit" },
  { verb: "schedule.fire", moment: "before-commit" },
  { verb: "enqueue", moment: "after-commit" },
] as const;

test("every point of this file exists in the source", () => {
  const points = allPoints();
  expect(points.length).toBeGreaterThanOrEqual(20);
  expect(points).toEqual(expect.arrayContaining([...STRUCK]));
});

test.for(KINDS)(
  "%s: a crash at a named point loses nothing and leaves nothing half done",
  { timeout: 120_000 },
  async (kind) => {
    const seed = testSeed();
    // Most of a scene is waiting for a lease, so some run at once.
    const todo = [...STRUCK];
    const findings: string[] = [];
    const strike = async () => {
      for (let point = todo.shift(); point; point = todo.shift())
        findings.push(...(await strikeAt(kind, point, seed)).findings);
    };
    await Promise.all([strike(), strike(), strike()]);
    expect(findings).toEqual([]);
  },
);
