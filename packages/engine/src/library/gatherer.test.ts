import { expect, test } from "vitest";
import type { NewJob, Store } from "../ports/store.ts";
import { Gatherer } from "./gatherer.ts";

const LARGE = "가".repeat(330_000);

test("gathered adds are split by bytes, and each add gets its own job", async () => {
  const sizes: number[] = [];
  const store = {
    refuseNesting: () => {},
    signal: () => {},
    isUnavailable: () => false,
    enqueue: async (_queue: string, _serial: boolean, jobs: readonly NewJob[]) => {
      sizes.push(jobs.length);
      await new Promise((resolve) => setImmediate(resolve));
      return jobs.map(({ id }) => ({ id, ticket: id, isNew: true, seq: null }));
    },
  } as unknown as Store;
  const gatherer = new Gatherer(store, "line", false, queueMicrotask);
  const job = (n: number) => ({ id: `${n}`, lanes: [], payload: LARGE, runAt: null }) as unknown as NewJob;
  const placed = await Promise.all(Array.from({ length: 30 }, (_, n) => gatherer.add([job(n)])));
  expect(placed.map(([one]) => one?.id)).toEqual(Array.from({ length: 30 }, (_, n) => `${n}`));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(8);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(30);
});
