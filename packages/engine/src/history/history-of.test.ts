import { expect, it } from "vitest";
import type { Store } from "../ports/store.ts";
import { historyOf } from "./history-of.ts";

const MINUTE = 60_000;
const POINTS = 10_000;

it("yields to the event loop while it computes a week of points", async () => {
  const nothing = { rows: [], sample: null, now: { waiting: 0, running: 0 }, runs: [] };
  const store = {
    clock: { now: () => POINTS * MINUTE },
    read: { history: async () => nothing },
  } as unknown as Store;
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const { points } = await historyOf(store, "mails", { from: 0, to: POINTS * MINUTE });
  isOver = true;
  expect(points).toHaveLength(POINTS);
  expect(turns).toBeGreaterThan(10);
});
