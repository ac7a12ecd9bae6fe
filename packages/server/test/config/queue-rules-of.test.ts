import { parseQueueRules } from "@andon/contract";
import { expect, test } from "vitest";
import { combineHooks } from "../../src/combine-hooks.ts";
import { queueRulesOf } from "../../src/config/queue-rules-of.ts";

const parsed = (...args: Parameters<typeof queueRulesOf>) => parseQueueRules(args[0], queueRulesOf(...args));

test("nas-sync stops with its own reason and counts its timeout from the last progress", () => {
  expect(parsed("nas-sync", undefined, undefined)).toMatchObject({
    mode: "lanes",
    attempts: 6,
    stopReason: "NAS_SYNC_FAILED",
    timeoutFrom: "progress",
    lease: 10_000,
    sweep: 3_000,
  });
});

test("nas-sync in serial mode has the seed's lease and sweep, unless they are set", () => {
  expect(parsed("nas-sync", undefined, { mode: "serial" })).toMatchObject({
    attempts: 3,
    onFinalFailure: "stop-queue",
    lease: 60_000,
    sweep: 30_000,
  });
  expect(parsed("nas-sync", undefined, { mode: "serial", lease: "20s" })).toMatchObject({
    lease: 20_000,
    sweep: 30_000,
  });
});

test("another serial queue keeps the usual lease", () => {
  expect(parsed("mail", undefined, { mode: "serial" })).toMatchObject({ lease: 10_000, sweep: 3_000 });
});

test("the configuration wins over the app, member by member, and says nothing about the rest", () => {
  const ofApp = { attempts: 9, timeout: "1m", backoff: { type: "fixed" as const, delay: "1s" } };
  expect(parsed("mail", ofApp, { attempts: 2, backoff: { delay: "3s" }, handler: () => {} })).toMatchObject({
    attempts: 2,
    timeout: 60_000,
    backoff: { type: "fixed", delay: 3_000 },
  });
});

test("hooks of several owners run in order, and the first that throws ends it", async () => {
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
