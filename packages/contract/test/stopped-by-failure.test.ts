import { expect, test } from "vitest";
import { isStoppedByFailure } from "../src/stopped-by-failure.ts";

test.for([
  ["a stop by failure", { state: "stopped", pausedBy: "system", failedJobId: "job" }, true],
  ["one by the job of another tenant", { state: "stopped", pausedBy: "system", failedJobId: null }, true],
  [
    "one by a guard that names another actor",
    { state: "stopped", pausedBy: "guard", failedJobId: "7" },
    true,
  ],
  ["a pause by hand", { state: "stopped", pausedBy: "kim", failedJobId: null }, false],
  ["an open queue", { state: "open", pausedBy: null, failedJobId: null }, false],
] as const)("%s", ([, queue, expected]) => {
  expect(isStoppedByFailure(queue)).toBe(expected);
});
