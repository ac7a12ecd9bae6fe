import { expect, test } from "vitest";
import { bytesIn, firstOf } from "./batch.ts";

const large = "가".repeat(330_000);

test("a batch ends at the limit of items or of bytes, and has at least one item", () => {
  expect(firstOf([], 10, bytesIn)).toBe(0);
  expect(firstOf(["a", "b", "c"], 2, bytesIn)).toBe(2);
  expect(firstOf(Array(20).fill(large), 100, bytesIn)).toBe(8);
  expect(firstOf(["x".repeat(9_000_000), "y"], 100, bytesIn)).toBe(1);
  expect(firstOf([null, null], 100, bytesIn)).toBe(2);
});

test("an item that is heavier than the rest of the batch is not split", () => {
  const sizes = [400, 700, 1];
  const weight = (size: number) => size;
  expect(firstOf(sizes, 1_000, () => 0, weight)).toBe(1);
  expect(firstOf([5_000, 1], 1_000, () => 0, weight)).toBe(1);
});
