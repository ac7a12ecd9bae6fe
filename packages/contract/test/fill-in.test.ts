import { expect, test } from "vitest";
import { filledIn } from "../src/fill-in.ts";
import { messageOf } from "../src/messages.ts";

test.each([
  [0, "0 jobs wait."],
  [1, "1 job waits."],
  ["1", "1 job waits."],
  [2, "2 jobs wait."],
])("the words fit the number %j", (count, text) => {
  expect(filledIn("{count} {count:job waits|jobs wait}.", { count })).toBe(text);
});

test("what has no fact stays as it is written", () => {
  expect(filledIn("{name} and {other:one|many}", { name: "a" })).toBe("a and {other:one|many}");
});

test("what has no fact is what the caller says, where that is said", () => {
  expect(filledIn("{name} and {other:one|many}", { name: "a" }, () => "-")).toBe("a and -");
});

test("a message about one job does not speak of several", () => {
  expect(messageOf("JOBS_RETRIED", "en", { count: 1 })).toBe("1 failed job is queued again.");
  expect(messageOf("REST_CANCELLED", "en", { count: 1 })).toBe("1 waiting job of the lane is cancelled.");
  expect(messageOf("PLAN_APPLIED", "en", { count: 1 })).toBe("Applied to exactly the 1 job of the plan.");
  expect(messageOf("PLAN_APPLIED", "en", { count: 3 })).toBe("Applied to exactly the 3 jobs of the plan.");
  expect(messageOf("JOBS_RETRIED", "ko", { count: 1 })).toContain("1개의 실패 작업");
});
