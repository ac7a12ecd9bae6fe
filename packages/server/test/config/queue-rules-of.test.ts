import { parseQueueRules } from "@andon/contract";
import { expect, test } from "vitest";
import { combineHooks } from "../../src/combine-hooks.ts";
import { queueRulesOf } from "../../src/config/queue-rules-of.ts";

const parsed = (...args: Parameters<typeof queueRulesOf>) => parseQueueRules("mail", queueRulesOf(...args));

test("an app has default rules, and others for a serial queue; the configuration overrides both", () => {
  const ofApp = { rules: { stopReason: "MAIL_FAILED" }, serial: { lease: "60s", sweep: "30s" } };
  expect(parsed(ofApp, undefined)).toMatchObject({ mode: "lanes", stopReason: "MAIL_FAILED", lease: 10_000 });
  expect(parsed(ofApp, { mode: "serial" })).toMatchObject({
    attempts: 3,
    onFinalFailure: "stop-queue",
    stopReason: "MAIL_FAILED",
    lease: 60_000,
    sweep: 30_000,
  });
  expect(parsed(ofApp, { mode: "serial", lease: "20s" })).toMatchObject({ lease: 20_000, sweep: 30_000 });
});

test("a serial queue without rules of an app keeps the default lease", () => {
  expect(parsed(undefined, { mode: "serial" })).toMatchObject({ lease: 10_000, sweep: 3_000 });
});

test("the configuration overrides the app member by member and leaves the rest", () => {
  const rules = { attempts: 9, timeout: "1m", backoff: { type: "fixed" as const, delay: "1s" } };
  const configured = { attempts: 2, backoff: { delay: "3s" }, handler: () => {} };
  expect(parsed({ rules }, configured)).toMatchObject({
    attempts: 2,
    timeout: 60_000,
    backoff: { type: "fixed", delay: 3_000 },
  });
});

test("hooks of several owners run in order, and the first error stops the others", async () => {
  const calls: string[] = [];
  const hooks = combineHooks(
    { failed: async () => void calls.push("app") },
    undefined,
    {
      failed: () => {
        calls.push("alerts");
        throw new Error("no");
      },
    },
    { failed: () => void calls.push("never") },
  );
  await expect(hooks.failed?.({} as never, {} as never)).rejects.toThrow("no");
  expect(calls).toEqual(["app", "alerts"]);
  expect(Object.keys(hooks)).toEqual(["failed"]);
});
