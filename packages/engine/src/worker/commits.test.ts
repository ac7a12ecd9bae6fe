import { expect, test } from "vitest";
import { systemClock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import type { SlowCompletion } from "../verbs/complete.ts";
import { Commits } from "./commits.ts";

/** A store whose transactions last until they are released, and that records which jobs each of them finished. */
function desk(mayShare = true) {
  const groups: string[][] = [];
  const letGo: (() => void)[] = [];
  const store = {
    clock: systemClock,
    signal: () => {},
    isUnavailable: (error: unknown) => (error as Error).message === "the store is away",
    transaction: async (_verb: string, work: (tx: unknown) => Promise<void>) => {
      const group: string[] = [];
      groups.push(group);
      await new Promise<void>((resolve) => letGo.push(resolve));
      await work({
        finish: async (_queue: string, _worker: string, completions: SlowCompletion[]) => {
          if (completions.some(({ jobId }) => jobId === "away")) throw new Error("the store is away");
          group.push(...completions.map(({ jobId }) => jobId));
          return !completions.some(({ jobId }) => jobId === "lost");
        },
      });
    },
  } as unknown as Store;
  const commits = new Commits(store, mayShare);
  const completion = (jobId: string) =>
    ({ jobId, queue: "q", worker: "w", isProbe: false, writes: null }) as unknown as SlowCompletion;
  return { groups, letGo, complete: (jobId: string) => commits.complete(completion(jobId)) };
}

test("completions that arrive during a write are written together afterwards", async () => {
  const { groups, letGo, complete } = desk();
  const first = complete("a");
  const rest = ["b", "c", "d"].map(complete);
  letGo[0]?.();
  await first;
  while (letGo.length < 2) await new Promise((resolve) => setImmediate(resolve));
  letGo[1]?.();
  await Promise.all(rest);
  expect(groups).toEqual([["a"], ["b", "c", "d"]]);
});

test("a completion that may not share a transaction has its own, and waits for no other", async () => {
  const { groups, letGo, complete } = desk(false);
  const all = ["a", "b", "c"].map(complete);
  while (letGo.length < 3) await new Promise((resolve) => setImmediate(resolve));
  for (const one of letGo) one();
  await Promise.all(all);
  expect(groups).toEqual([["a"], ["b"], ["c"]]);
});

test("a completion does not wait long for a slow one", async () => {
  const { groups, letGo, complete } = desk();
  const slow = complete("slow");
  const next = complete("next");
  while (letGo.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  letGo[1]?.();
  await next;
  expect(groups).toEqual([[], ["next"]]);
  letGo[0]?.();
  await slow;
});

test("if one of a group has lost its claim, each is written again by itself", async () => {
  const { groups, letGo, complete } = desk();
  const first = complete("a");
  const [lost, kept] = [complete("lost"), complete("kept")];
  const settled = Promise.allSettled([first, lost, kept]);
  for (let next = 0; next < 4; next++) {
    while (letGo.length <= next) await new Promise((resolve) => setImmediate(resolve));
    letGo[next]?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(groups).toEqual([["a"], ["lost", "kept"], ["lost"], ["kept"]]);
});

test("completions that are written again by themselves do not wait for each other", async () => {
  const { groups, letGo, complete } = desk();
  const first = complete("a");
  const [lost, kept] = [complete("lost"), complete("kept")];
  lost.catch(() => {});
  for (const next of [0, 1]) {
    while (letGo.length <= next) await new Promise((resolve) => setImmediate(resolve));
    letGo[next]?.();
  }
  while (letGo.length < 4) await new Promise((resolve) => setImmediate(resolve));
  letGo[3]?.();
  await Promise.all([first, kept]);
  expect(groups).toEqual([["a"], ["lost", "kept"], [], ["kept"]]);
  letGo[2]?.();
  await expect(lost).rejects.toMatchObject({ code: "CLAIM_LOST" });
});

test("if the store is unavailable, the whole group fails at once", async () => {
  const { groups, letGo, complete } = desk();
  const settled = Promise.allSettled(["a", "away", "b"].map(complete));
  for (let next = 0; next < 2; next++) {
    while (letGo.length <= next) await new Promise((resolve) => setImmediate(resolve));
    letGo[next]?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(groups).toHaveLength(2);
});
