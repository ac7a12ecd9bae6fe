import type { App, AppSite } from "@andon/app";
import type { Store } from "@andon/engine";
import { expect, onTestFinished, test, vi } from "vitest";
import { openHealth } from "../../src/observe/health.ts";

const up = { ready: async () => {} } as unknown as Store;
const site = {} as AppSite;
const appWith = (ready: App["ready"]): App => ({ name: "vault", ...(ready ? { ready } : {}) });

test("the status is ok while the store and all parts answer", async () => {
  const nas = { name: "nas", ok: true, problem: null };
  expect(await openHealth(up, [appWith(async () => [nas]), { name: "quiet" }], site).ready()).toEqual({
    status: "ok",
    parts: [{ name: "store", ok: true, problem: null }, nas],
  });
});

test("a part that is away makes the status degraded and is named; only operators see its problem", async () => {
  const nas = { name: "nas", ok: false, problem: "/srv/nas is not mounted" };
  const parts = [{ ...nas, code: "NOT_MOUNTED" }, nas];
  const health = openHealth(up, [appWith(async () => parts)], site);
  const store = { name: "store", ok: true, problem: null };
  const forAnybody = [
    { ...nas, problem: "NOT_MOUNTED" },
    { ...nas, problem: "does not answer" },
  ];
  const told = (shown: typeof forAnybody) => ({ status: "degraded", parts: [store, ...shown] });
  expect(await health.ready()).toEqual(told(forAnybody));
  expect(await health.ready(async () => false)).toEqual(told(forAnybody));
  expect(await health.ready(() => Promise.reject(new Error("no keys")))).toEqual(told(forAnybody));
  expect(await health.ready(async () => true)).toEqual(told([nas, nas]));
});

test("the caller is looked up only if the status is degraded", async () => {
  const isOperator = vi.fn(async () => true);
  await openHealth(up, [], site).ready(isOperator);
  const down = { ready: () => Promise.reject(new Error("away")) } as unknown as Store;
  await openHealth(down, [], site).ready(isOperator);
  expect(isOperator).not.toHaveBeenCalled();
});

test("an app whose check throws is degraded, and callers without a key do not see the error's text", async () => {
  const app = appWith(async () => Promise.reject(new Error("ldap://me:hunter2@dc is down")));
  const { status, parts } = await openHealth(up, [app], site).ready();
  expect([status, parts[1]]).toEqual(["degraded", { name: "vault", ok: false, problem: "does not answer" }]);
});

test("without the store the status is unavailable, whatever the other parts report", async () => {
  const refused = Object.assign(new Error("connect 10.0.0.1"), { code: "ECONNREFUSED" });
  const down = { ready: () => Promise.reject(refused) } as unknown as Store;
  expect(await openHealth(down, [], site).ready()).toEqual({
    status: "unavailable",
    parts: [{ name: "store", ok: false, problem: "ECONNREFUSED" }],
  });
});

test("a store that hangs counts as away after two seconds", async () => {
  const hanging = { ready: () => new Promise(() => {}) } as unknown as Store;
  expect(await openHealth(hanging, [], site).ready()).toEqual({
    status: "unavailable",
    parts: [{ name: "store", ok: false, problem: "no answer for 2000 ms" }],
  });
});

test("a part that hangs is not checked again before its call has returned", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  let comeBack = () => {};
  const app = appWith(() => {
    looks++;
    return new Promise((resolve) => {
      comeBack = () => resolve([]);
    });
  });
  const health = openHealth(up, [app], site);
  for (let minute = 0; minute < 3; minute++) {
    const asked = health.ready();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await asked).status).toBe("degraded");
  }
  expect(looks).toBe(1);
  comeBack();
  await vi.advanceTimersByTimeAsync(0);
  const asked = health.ready();
  comeBack();
  expect([looks, (await asked).status]).toEqual([2, "ok"]);
});

test("concurrent callers share one check", async () => {
  let looks = 0;
  const app = appWith(async () => {
    looks++;
    await new Promise(setImmediate);
    return [];
  });
  const health = openHealth(up, [app], site);
  await Promise.all(Array.from({ length: 20 }, () => health.ready()));
  expect(looks).toBe(1);
  await health.ready();
  expect(looks).toBe(2);
});
