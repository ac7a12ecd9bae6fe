import { describe, expect, test } from "vitest";
import { MOST_COUNTED } from "./bounds.ts";
import { countUnlessReached } from "./reached-bounds.ts";

/** A list that records how often it is counted. */
function listOf(rows: number) {
  const list = { rows, looks: 0 };
  return Object.assign(list, {
    count: async () => {
      list.looks++;
      return Math.min(list.rows, MOST_COUNTED + 1);
    },
  });
}

describe("a total", () => {
  test("over the bound is counted at most once in ten seconds", async () => {
    const list = listOf(20_000);
    for (const now of [0, 1, 9_999]) {
      expect(await countUnlessReached(list, "jobs", list.count, now)).toBe(MOST_COUNTED + 1);
    }
    expect(list.looks).toBe(1);
    list.rows = 7;
    expect(await countUnlessReached(list, "jobs", list.count, 10_001)).toBe(7);
  });

  test("within the bound is counted each time", async () => {
    const list = listOf(MOST_COUNTED);
    expect(await countUnlessReached(list, "jobs", list.count, 0)).toBe(MOST_COUNTED);
    list.rows++;
    expect(await countUnlessReached(list, "jobs", list.count, 0)).toBe(MOST_COUNTED + 1);
    expect(list.looks).toBe(2);
  });

  test("is remembered separately for each store and each list", async () => {
    const [many, few] = [listOf(20_000), listOf(3)];
    await countUnlessReached(many, "jobs", many.count, 0);
    expect(await countUnlessReached(few, "jobs", few.count, 0)).toBe(3);
    expect(await countUnlessReached(many, "alerts", few.count, 0)).toBe(3);
  });

  test("is forgotten when too many lists are over the bound", async () => {
    const list = listOf(20_000);
    for (let n = 0; n <= 1_000; n++) await countUnlessReached(list, `list ${n}`, list.count, 0);
    await countUnlessReached(list, "list 0", list.count, 1);
    expect(list.looks).toBe(1_002);
  });
});
