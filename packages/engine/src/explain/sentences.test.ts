import { expect, test } from "vitest";
import { sentence } from "./sentences.ts";

test.each([
  ["job.failed", { attempts: 1, error: "no" }, "It failed after 1 attempt (no): retry or skip it."],
  ["job.failed", { attempts: 3, error: "no" }, "It failed after 3 attempts (no): retry or skip it."],
  [
    "queue.concurrency",
    { queue: "q", limit: 1, running: 1, ahead: 1 },
    "Queue q runs at most 1 job at once, and 1 is running now; 1 is ahead of it.",
  ],
  [
    "queue.tenant-concurrency",
    { queue: "q", limit: 1, running: 1, tenant: "t" },
    "Queue q runs at most 1 job of tenant t at once, and 1 is running now.",
  ],
  [
    "queue.rate",
    { queue: "q", max: 1, duration: 5, started: 1 },
    "Queue q starts at most 1 job in 5 ms, and 1 has started.",
  ],
  ["line.ahead", { queue: "q", ahead: 1 }, "1 ready job of queue q is ahead of it."],
])("%s uses the singular and the plural as the numbers require", (rule, facts, said) => {
  expect(sentence(rule, facts, "en")).toBe(said);
});

test("times are shown as ISO 8601, missing facts as a dash, and placeholders inside facts are not filled in", () => {
  const facts = { due: 0, attempts: 2, error: "{due} {attempts:one|many}" };
  expect(sentence("job.backoff", facts, "en")).toBe(
    "Attempt 2 failed ({due} {attempts:one|many}). The next attempt is at 1970-01-01T00:00:00.000Z; the job keeps its place.",
  );
  expect(sentence("job.scheduled", {}, "en")).toBe("Scheduled to run at -.");
});
