import type { Entry } from "@andon/testkit/processes";
import { judgeLedger } from "@andon/testkit/proof";
import { expect, test } from "vitest";

/* Fabricated ledgers, each correct or with one fault: a proof is only as good as its judge. */

const line = (what: Entry["what"], n: number, pid: number, key = "k"): Omit<Entry, "at"> => ({
  what,
  n,
  pid,
  queue: "line",
  job: what === "killed" ? "" : `job-${n}`,
  keys: what === "killed" ? [] : [key],
  attempt: 1,
  detail: "",
});
const judge = (...lines: Omit<Entry, "at">[]) =>
  judgeLedger(
    lines.map((entry, index) => ({ ...entry, at: index * 1_000 })),
    "line",
  );

test("work in order, each job once, has no findings", () => {
  const judged = judge(line("start", 1, 7), line("end", 1, 7), line("start", 2, 8), line("end", 2, 8));
  expect(judged).toMatchObject({ outOfOrder: 0, doubled: 0, recoveries: [], findings: [] });
});

test("a job that starts before an earlier one of its lane is reported as out of order", () => {
  const judged = judge(line("start", 2, 7), line("end", 2, 7), line("start", 1, 7), line("end", 1, 7));
  expect(judged.outOfOrder).toBe(1);
  expect(judged.findings).toHaveLength(1);
});

test("two jobs of a lane at work at once are reported as out of order", () => {
  const judged = judge(line("start", 1, 7), line("start", 2, 8), line("end", 1, 7), line("end", 2, 8));
  expect(judged.outOfOrder).toBe(1);
});

test("a job that starts again while its process is alive is a finding", () => {
  const judged = judge(line("start", 1, 7), line("end", 1, 7), line("start", 1, 8), line("end", 1, 8));
  expect(judged).toMatchObject({ doubled: 1, recoveries: [] });
  expect(judged.findings[0]).toContain("started again");
});

test("a job that starts again before its process was killed is a finding", () => {
  const judged = judge(line("start", 1, 7), line("start", 1, 8), line("killed", 0, 7), line("end", 1, 8));
  expect(judged.findings.join()).toContain("started again");
});

test("a job whose process was killed may start again, and the recovery time is measured", () => {
  const judged = judge(
    line("start", 1, 7),
    line("end", 1, 7),
    line("killed", 0, 7),
    line("start", 1, 8),
    line("end", 1, 8),
  );
  expect(judged).toMatchObject({ outOfOrder: 0, doubled: 1, recoveries: [1], findings: [] });
});

test("a job that threw may start again", () => {
  const judged = judge(line("start", 1, 7), line("threw", 1, 7), line("start", 1, 7), line("end", 1, 7));
  expect(judged).toMatchObject({ outOfOrder: 0, doubled: 0, findings: [] });
});
