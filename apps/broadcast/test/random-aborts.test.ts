import { describe, expect, test } from "vitest";
import { STORES } from "./harness.ts";
import { playAborts } from "./random-aborts.ts";

/** The long form is the fault `bulk-aborts` of `npm run proof`. */
describe.each(STORES)("aborts at random moments on %s", (store) => {
  test("leave whole chunks, and after the resume every channel is notified", async () => {
    const rounds = store === "postgres" ? 5 : 4;
    const random = (below: number) => Math.floor(Math.random() * below);
    const found = await playAborts(store, random, (played) => played >= rounds);
    expect(found.problems).toEqual([]);
    expect(found.rounds).toBe(rounds);
  }, 120_000);
});
