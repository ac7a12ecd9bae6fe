import { expect, test } from "vitest";
import { didYouMean, nearest } from "../src/did-you-mean.ts";

const KNOWN = ["concurrency", "attempts", "backoff", "timeout", "lease"];

test.each([
  ["concurency", "concurrency"],
  ["Concurrency", "concurrency"],
  ["atempts", "attempts"],
  ["time-out", "timeout"],
  ["leese", "lease"],
])("takes %s for %s", (given, meant) => {
  expect(nearest(given, KNOWN)).toBe(meant);
  expect(didYouMean(given, KNOWN)).toBe(`Did you mean "${meant}"?`);
});

test("takes the nearest of several", () => {
  expect(nearest("leas", ["least", "lease", "leash"])).toBe("least");
  expect(nearest("backof", ["back", "backoff"])).toBe("backoff");
});

test("counts two letters that changed places as one slip", () => {
  expect(nearest("stauts", ["start", "status"])).toBe("status");
  expect(nearest("attepmts", KNOWN)).toBe("attempts");
});

test("lists what is known where nothing is near", () => {
  expect(nearest("colour", KNOWN)).toBeUndefined();
  expect(didYouMean("colour", KNOWN)).toBe("Known: concurrency, attempts, backoff, timeout, lease.");
});
