import type { JobRow } from "@andon/engine";
import { expect, test } from "vitest";
import { lookAtFailed } from "../../src/operator/look-before-skipping.ts";
import type { Site } from "../../src/site.ts";

const MANY = 2_350;
const AT_ONCE = 100;

/** A site with many failed jobs, some of which a person settles meanwhile. */
function siteWithFailed(isSettled: (pos: number) => boolean): Site {
  const read = {
    async *scanJobs() {
      for (let from = 0; from < MANY; from += 1_000) {
        yield Array.from({ length: Math.min(1_000, MANY - from) }, (_, index) => from + index);
      }
    },
    readJobs: async (positions: readonly number[]) =>
      positions.map((pos) => ({ id: `job-${pos}`, state: isSettled(pos) ? "resolved" : "failed" }) as JobRow),
  };
  return { andon: { store: { read } } } as unknown as Site;
}

test("every failed job is looked at before all are skipped, so many at once and no more", async () => {
  const isSettled = (pos: number) => pos % 50 === 0;
  let looking = 0;
  let most = 0;
  const findings = await lookAtFailed(siteWithFailed(isSettled), "things", async () => {
    most = Math.max(most, ++looking);
    await new Promise((resolve) => setImmediate(resolve));
    looking--;
    return { availabilityStatus: "AVAILABLE" };
  });
  const failed = Array.from({ length: MANY }, (_, pos) => pos).filter((pos) => !isSettled(pos));
  expect([...findings.keys()].sort()).toEqual(failed.map((pos) => `job-${pos}`).sort());
  expect(most).toBeLessThanOrEqual(AT_ONCE);
});
