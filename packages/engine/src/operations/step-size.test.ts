import { expect, test } from "vitest";
import { StepSize } from "./step-size.ts";

/** The last size of many steps on a machine with these costs. */
function sizeBy(costOf: (jobs: number) => number): number {
  const size = new StepSize();
  for (let step = 0; step < 30; step++) size.took(costOf(size.jobs), size.jobs);
  return size.jobs;
}

test("steps grow until one takes about 50 ms, and no further than a thousand jobs", () => {
  const jobs = sizeBy((count) => 4 + count * 0.1);
  expect(4 + jobs * 0.1).toBeGreaterThan(35);
  expect(4 + jobs * 0.1).toBeLessThan(75);
  expect(sizeBy(() => 0)).toBe(1_000);
});

test("slow steps shrink, but not below the 100 jobs that fit one transaction", () => {
  expect(sizeBy((jobs) => jobs * 5)).toBe(100);
});

test("a refused step is halved down to one job, and the steps after it grow again", () => {
  const size = new StepSize();
  for (let tries = 0; size.jobs > 1; tries++) {
    expect(tries).toBeLessThan(10);
    size.refused(size.jobs);
  }
  for (let step = 0; step < 10; step++) size.took(5, size.jobs);
  expect(size.jobs).toBeGreaterThan(100);
});
