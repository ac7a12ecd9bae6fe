import { describe, expect, test } from "vitest";
import { uncoloured } from "../src/terminal/paint.ts";
import { table } from "../src/terminal/table.ts";
import { cutTo, onOneLine, padTo, widthOf, withLines, wrapped } from "../src/terminal/width.ts";

describe("the width of a text in a terminal", () => {
  test.each([
    ["nas-sync", 8],
    ["큐", 2],
    ["보류 레인", 9],
    ["日本語", 6],
    ["ｆｕｌｌ", 8],
    ["🔴", 2],
    ["👩‍👩‍👧", 2],
    ["e\u0301", 1],
    ["\u1112\u1161\u11ab", 2],
    ["\u001b[31m실패\u001b[0m", 4],
    ["", 0],
  ])("%j takes %i columns", (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  test("a cut text is never wider than allowed, and no letter is cut in half", () => {
    expect(cutTo("동기화 실패", 5)).toBe("동기…");
    expect(cutTo("동기화 실패", 6)).toBe("동기…");
    expect(widthOf(cutTo("동기화 실패", 6))).toBeLessThanOrEqual(6);
    expect(cutTo("short", 5)).toBe("short");
  });

  test("padding counts columns, not letters", () => {
    expect(padTo("큐", 4)).toBe("큐  ");
    expect(padTo("큐", 4, "right")).toBe("  큐");
  });
});

describe("an untrusted text", () => {
  test("cannot move the cursor, colour the terminal or break a row", () => {
    expect(onOneLine("a\nb\tc\u001b[2Jd\u009b31m\u202e")).toBe("a b c�[2Jd�31m");
  });

  test("keeps its lines with withLines", () => {
    expect(withLines("Error\r\n\tat x\u0007")).toBe("Error\n  at x�");
  });
});

const COLUMNS = [
  { head: "큐", of: (row: { queue: string }) => row.queue },
  { head: "개수", of: (row: { count: number }) => row.count, side: "right" as const },
  { head: "사유", of: (row: { why: string | null }) => row.why, isLong: true },
];
const ROWS = [
  { queue: "nas-sync", count: 5, why: "NAS 동기화 실패: 연결이 거부되었습니다" },
  { queue: "한글큐", count: 1200, why: null },
];

test("the state of a job can be read in a narrow terminal", () => {
  const columns = [
    { head: "Ticket", of: () => "12" },
    { head: "Queue", of: () => "nas-sync" },
    { head: "Kind", of: () => "file.uploaded" },
    { head: "State", of: () => "scheduled", isKept: true },
    { head: "Key", of: () => "file:42", isLong: true },
    { head: "Attempts", of: () => 1, side: "right" as const },
    { head: "Made", of: () => "2026-01-20 10:30:00" },
    { head: "Error", of: () => "ECONNREFUSED: the NAS does not answer", isLong: true },
  ];
  const lines = table(columns, [{}], { paint: uncoloured, width: 40 }).split("\n");
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(40);
  expect(lines[1]).toMatch(/^12 {6}nas-s… .* scheduled /);
});

test("columns that may be left out go as a whole, one after the other, before any column is cut", () => {
  const columns = [
    { head: "Queue", of: () => "broadcast-push" },
    { head: "State", of: () => "Running", isKept: true },
    { head: "Done", of: () => 120, leaves: 2 },
    { head: "Per min", of: () => 12, leaves: 1 },
    { head: "Reason", of: () => "the line was stopped by a person", isLong: true, leaves: 3 },
  ];
  const head = (width: number) => {
    const [first = "", ...rows] = table(columns, [{}], { paint: uncoloured, width }).split("\n");
    for (const line of [first, ...rows]) expect(widthOf(line)).toBeLessThanOrEqual(width);
    return first.split(/ {2,}/);
  };
  expect(head(80)).toEqual(["Queue", "State", "Done", "Per min", "Reason"]);
  expect(head(44)).toEqual(["Queue", "State", "Done", "Reason"]);
  expect(head(36)).toEqual(["Queue", "State", "Reason"]);
  expect(head(24)).toEqual(["Queue", "State"]);
});

test("a sentence is broken between words", () => {
  expect(wrapped("the queue is stopped by a failure", 12)).toEqual([
    "the queue is",
    "stopped by a",
    "failure",
  ]);
  expect(wrapped("큐가 실패로 멈췄습니다", 11)).toEqual(["큐가 실패로", "멈췄습니다"]);
});

describe("a table", () => {
  test("aligns Korean and Latin in the same columns", () => {
    const text = table(COLUMNS, ROWS, { paint: uncoloured, width: undefined });
    expect(text).toBe(
      [
        "큐        개수  사유",
        "nas-sync     5  NAS 동기화 실패: 연결이 거부되었습니다",
        "한글큐    1200  -",
      ].join("\n"),
    );
  });

  test.each([20, 30, 41, 60])("fits a terminal of %i columns, and cuts the long column first", (width) => {
    const lines = table(COLUMNS, ROWS, { paint: uncoloured, width }).split("\n");
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
    if (width >= 30) expect(lines[1]).toMatch(/^nas-sync {5}5 {2}NAS/);
  });
});
