import { describe, expect, test } from "vitest";
import { parseQueueRules, type QueueRulesInput } from "../src/queue-rules.ts";

const rulesOf = (input?: unknown) => parseQueueRules("nas-sync", input as QueueRulesInput | undefined);

describe("presets", () => {
  test("lanes is the mode of a queue without rules", () => {
    expect(rulesOf()).toEqual({
      mode: "lanes",
      attempts: 6,
      backoff: { type: "exponential", delay: 5_000, max: 300_000, jitter: 0 },
      timeout: 30_000,
      timeoutFrom: "start",
      settleGrace: 5_000,
      lease: 10_000,
      sweep: 3_000,
      maxStalled: 5,
      onFinalFailure: "auto",
      probe: true,
      fair: false,
      shareCommits: false,
      stopReason: "JOB_FAILED",
      resumeRequiresResolution: false,
      keep: { done: 7 * 86_400_000, ended: 30 * 86_400_000 },
    });
  });

  test("serial runs one job at a time, tries three times and stops the queue", () => {
    expect(rulesOf({ mode: "serial" })).toMatchObject({
      mode: "serial",
      concurrency: 1,
      attempts: 3,
      maxStalled: 1,
      onFinalFailure: "stop-queue",
      probe: false,
    });
  });

  test("serial stays one at a time whatever concurrency is given", () => {
    expect(rulesOf({ mode: "serial", concurrency: 8 }).concurrency).toBe(1);
  });

  test("what is given wins over the preset", () => {
    const given = {
      attempts: 9,
      maxStalled: 0,
      onFinalFailure: "skip",
      probe: true,
    } as const;
    expect(rulesOf({ mode: "serial", ...given })).toMatchObject(given);
    expect(rulesOf({ ...given, probe: false })).toMatchObject({ ...given, probe: false });
  });

  test("per-file and hold-file are other words for lanes and hold-lane", () => {
    const aliased = rulesOf({ mode: "per-file", onFinalFailure: "hold-file" });
    expect(aliased).toEqual(rulesOf({ mode: "lanes", onFinalFailure: "hold-lane" }));
    expect(aliased).toMatchObject({ mode: "lanes", onFinalFailure: "hold-lane" });
  });

  test("tenants share fairly where they have a limit, unless told otherwise", () => {
    expect(rulesOf({ tenantConcurrency: 2 }).fair).toBe(true);
    expect(rulesOf({ tenantConcurrency: 2, fair: false }).fair).toBe(false);
    expect(rulesOf({ fair: true }).fair).toBe(true);
  });

  test("nested rules keep the defaults of what is not given, and durations become milliseconds", () => {
    expect(
      rulesOf({ backoff: { delay: "2s" }, keep: { done: "1h" }, limiter: { max: 1, duration: "1s" } }),
    ).toMatchObject({
      backoff: { type: "exponential", delay: 2_000, max: 300_000, jitter: 0 },
      keep: { done: 3_600_000, ended: 30 * 86_400_000 },
      limiter: { max: 1, duration: 1_000 },
    });
  });

  test("functions pick the policy and the fault", () => {
    const onFinalFailure = () => "skip" as const;
    const classify = () => "destination" as const;
    expect(rulesOf({ onFinalFailure, classify })).toMatchObject({ onFinalFailure, classify });
  });
});

const REFUSED: readonly (readonly [option: string, given: unknown])[] = [
  ["mode", { mode: "parallel" }],
  ["concurrency", { concurrency: 0 }],
  ["concurrency", { concurrency: 1.5 }],
  ["tenantConcurrency", { tenantConcurrency: -1 }],
  ["attempts", { attempts: 0 }],
  ["attempts", { attempts: "3" }],
  ["timeout", { timeout: "soon" }],
  ["timeout", { timeout: -1 }],
  ["lease", { lease: 0 }],
  ["lease", { lease: 499 }],
  ["lease", { lease: "soon" }],
  ["sweep", { sweep: 0 }],
  ["sweep", { sweep: "99ms" }],
  ["timeoutFrom", { timeoutFrom: "end" }],
  ["maxStalled", { maxStalled: -1 }],
  ["onFinalFailure", { onFinalFailure: "panic" }],
  ["classify", { classify: "destination" }],
  ["stopReason", { stopReason: "" }],
  ["backoff.jitter", { backoff: { jitter: 1.1 } }],
  ["backoff.type", { backoff: { type: "linear" } }],
  ["limiter.max", { limiter: { max: 0, duration: "1s" } }],
  ["limiter.duration", { limiter: { max: 1 } }],
  ["keep.done", { keep: { done: "a while" } }],
];

describe("refusals", () => {
  test.each(REFUSED)("a bad %s is named with the queue and what was given: %j", (option, given) => {
    expect(() => rulesOf(given)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        status: 400,
        details: expect.objectContaining({ where: 'queue "nas-sync"', option }),
      }),
    );
  });

  test("a lease or a sweep that is too short is told how long it must be", () => {
    const most = "or more (a number is milliseconds)";
    expect(() => rulesOf({ lease: 10 })).toThrow(`queue "nas-sync": lease is 10; allowed: 500ms ${most}`);
    expect(() => rulesOf({ sweep: 1 })).toThrow(`queue "nas-sync": sweep is 1; allowed: 100ms ${most}`);
    expect(rulesOf({ lease: 500, sweep: "100ms" })).toMatchObject({ lease: 500, sweep: 100 });
  });

  test("a bad value is shown as it was given", () => {
    expect(() => rulesOf({ backoff: { delay: "soon" } })).toThrow(
      'queue "nas-sync": backoff.delay is "soon"; allowed: milliseconds, or a string such as "500ms"',
    );
  });

  test.each([
    [{ concurency: 1 }, "concurency", 'Did you mean "concurrency"?'],
    [{ backoff: { dellay: 1 } }, "backoff.dellay", 'Did you mean "delay"?'],
    [{ limiter: { max: 1, duration: 1, per: 2 } }, "limiter.per", "Known: max, duration."],
    [{ keep: { failed: "1d" } }, "keep.failed", "Known: done, ended."],
  ])("an unknown option is named, with what may have been meant: %j", (given, option, hint) => {
    expect(() => rulesOf(given)).toThrow(
      expect.objectContaining({
        code: "UNKNOWN_OPTION",
        details: { where: 'queue "nas-sync"', option, hint },
      }),
    );
  });
});
