import { expect, test } from "vitest";
import { paceOf } from "./time-to-empty.ts";

const MINUTE = 60_000;
const point = (done: number, waiting: number | null = 0) => ({ done, waiting });

test("the pace is measured over the steps at whose end jobs still waited", () => {
  const points = [point(600, 40), point(0), point(1), point(300, 5), point(7, 3)];
  expect(paceOf(points, MINUTE)).toBe(900 / (2 * MINUTE));
});

test("without such steps, the pace is measured over all whole steps with done jobs", () => {
  expect(paceOf([point(10), point(0), point(20), point(99)], MINUTE)).toBe(30 / (2 * MINUTE));
});

test("the running step counts only if there is no other, and without done jobs the pace is null", () => {
  expect(paceOf([point(0), point(6)], MINUTE)).toBe(6 / MINUTE);
  expect(paceOf([point(0, 3), point(0, null)], MINUTE)).toBeNull();
});
