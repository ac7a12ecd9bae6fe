import { expect, test } from "vitest";
import { StepSize } from "./step-size.ts";

/** The sizes of so many steps on a machine with these costs. */
function sizes(costOf: (jobs: number) => number, steps = 30): number[] {
  const size = new StepSize();
  return Array.from({ length: steps }, () => {
    const { jobs } = size;
    size.took(costOf(jobs), jobs);
    return jobs;
  });
}

test("steps grow until one takes about 50 ms", () => {
  const last = sizes((jobs) => 4 + jobs * 0.1).at(-1) as number;
  expect(4 + last * 0.1).toBeGreaterThan(35);
  expect(4 + last * 0.1).toBeLessThan(60);
});

test("steps shrink where each job is slow, as far as ten jobs", () => {
  expect(sizes((jobs) => 3 + jobs * 2).at(-1)).toBeLessThan(40);
  expect(sizes((jobs) => jobs * 50).at(-1)).toBe(10);
});

test("a commit that is slow by itself makes no small steps", () => {
  expect(sizes((jobs) => 80 + jobs * 0.05).at(-1)).toBeGreaterThan(300);
});

test("a refused step is halved until one job stands alone", () => {
  const size = new StepSize();
  for (let tries = 0; size.jobs > 1; tries++) {
    expect(tries).toBeLessThan(10);
    size.refused(size.jobs);
  }
  expect(size.jobs).toBe(1);
});

test("steps that take no time at all stay within a thousand jobs", () => {
  expect(sizes(() => 0).at(-1)).toBe(1_000);
});
