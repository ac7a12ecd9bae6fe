import { describe, expect, test } from "vitest";
import { duration } from "../src/duration.ts";
import { parseDuration } from "../src/parse-duration.ts";

describe("parseDuration", () => {
  test.each([
    [0, 0],
    [1_500, 1_500],
    ["0ms", 0],
    ["500ms", 500],
    ["5s", 5_000],
    ["15m", 900_000],
    ["1h", 3_600_000],
    ["30d", 2_592_000_000],
    ["1.5s", 1_500],
    ["0.5ms", 1],
    [" 2 m ", 120_000],
  ])("reads %j as %d ms", (given, ms) => {
    expect(parseDuration(given)).toBe(ms);
  });

  test.each([
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    "5",
    "s",
    "-5s",
    "5 weeks",
    "5S",
    "1s 2s",
    null,
    {},
  ])("refuses %j", (given) => {
    expect(parseDuration(given)).toBeUndefined();
  });
});

test("the schema gives milliseconds, or says what a duration looks like", () => {
  expect(duration.parse("2s")).toBe(2_000);
  expect(duration.safeParse("soon").error?.issues[0]?.message).toBe(
    'milliseconds, or a string such as "500ms", "5s", "15m", "1h", "30d"',
  );
});
