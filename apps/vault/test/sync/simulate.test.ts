import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../src/sync/simulate.ts";

test("each choice shows the outcome of every operation", () => {
  const choices = simulate({
    databasePath: ".trash/1/a",
    nasPath: "a",
    failed: { type: "MOVE", seq: 2, target: "f/a" },
    rest: [{ type: "TRASH", seq: 3, target: ".trash/1/a" }],
    isHeld: true,
  });
  expect(
    choices.map(({ operations }) => operations.map(({ outcome, from, to }) => [outcome, from, to])),
  ).toEqual([
    [
      ["RUNS", "a", "f/a"],
      ["RUNS", "f/a", ".trash/1/a"],
    ],
    [
      ["SKIPPED", "a", "a"],
      ["RUNS", "a", ".trash/1/a"],
    ],
    [
      ["SKIPPED", "a", "a"],
      ["CANCELLED", "a", "a"],
    ],
  ]);
});

test("a deleted file matches when its bytes are nowhere", () => {
  const deleted = {
    databasePath: null,
    nasPath: "a",
    failed: { type: "DELETE", seq: 2, target: null },
    rest: [],
    isHeld: true,
  } as const;
  expect(simulate(deleted).map(({ action, matches }) => [action, matches])).toEqual([
    ["retry", true],
    ["skip", false],
    ["cancel", false],
  ]);
});

test("cancelling an operation that holds nothing cancels no other", () => {
  const [, , cancel] = simulate({
    databasePath: "c",
    nasPath: "a",
    failed: { type: "RENAME", seq: 2, target: "b" },
    rest: [{ type: "RENAME", seq: 3, target: "c" }],
    isHeld: false,
  });
  expect(cancel?.operations.map(({ outcome }) => outcome)).toEqual(["SKIPPED", "RUNS"]);
  expect(cancel).toMatchObject({ endsAt: "c", matches: true });
});

test("a retry always ends at the target of the last operation, and a cancel where the bytes are", () => {
  const path = fc.constantFrom("a", "b", "c");
  const operations = fc.array(path, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(path, operations, (nasPath, targets) => {
      const planned = targets.map((target, index) => ({ type: "RENAME" as const, seq: index + 1, target }));
      const [failed, ...rest] = planned as [(typeof planned)[0], ...typeof planned];
      const databasePath = targets.at(-1) as string;
      const [retry, skip, cancel] = simulate({ databasePath, nasPath, failed, rest, isHeld: true });
      expect(retry).toMatchObject({ endsAt: databasePath, matches: true });
      expect(skip?.endsAt).toBe(targets.length > 1 ? databasePath : nasPath);
      expect(cancel).toMatchObject({ endsAt: nasPath, matches: nasPath === databasePath });
    }),
  );
});
