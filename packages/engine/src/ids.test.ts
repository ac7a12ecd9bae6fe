import { describe, expect, it } from "vitest";
import { newId } from "./ids.ts";

const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
// Later than the time of any id that another test of this process makes.
const NOW = Date.parse("2100-01-01T00:00:00Z");

describe("an id", () => {
  it("sorts behind all ids that were made before it, even if the clock was set back a little", () => {
    const ids = [NOW, NOW, NOW - 60_000, NOW - 1, NOW + 1].map(newId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("follows a clock that is set back by two hours, so that its time stays near the row's", () => {
    newId(NOW + 7_200_000);
    const after = newId(NOW);
    expect(timeOf(after)).toBe(NOW);
    expect([after, newId(NOW), newId(NOW + 1)].sort()[0]).toBe(after);
  });
});
