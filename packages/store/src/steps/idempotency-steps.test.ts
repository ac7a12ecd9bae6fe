import type { NewJob } from "@andon/engine";
import { expect, test } from "vitest";
import { sqliteDialect } from "../sqlite/dialect.ts";
import { takeIdempotencyKeys } from "./idempotency-steps.ts";
import type { StepContext } from "./statement-registry.ts";

const job = { id: "new", tenant: "default", idempotencyKey: "k" } as NewJob;

/** A store in which others change rows between two statements, which cannot be timed on a real one. */
function storeThat(answers: { taken: number[]; known: { id: string }[][] }): StepContext {
  const session = {
    run: async () => answers.taken.shift() ?? 0,
    all: async () => answers.known.shift() ?? [],
  };
  return { session, dialect: sqliteDialect, now: 0 } as unknown as StepContext;
}

test("a key whose job is purged between the two statements is taken for the new job", async () => {
  const answers = { taken: [0, 1], known: [[]] };
  expect(await takeIdempotencyKeys(storeThat(answers), "line", [job])).toEqual(new Map());
  expect(answers.taken).toEqual([]);
});

test("a key that another add takes after a purge returns that add's job", async () => {
  const answers = { taken: [0, 0], known: [[], [{ id: "theirs" }]] };
  const found = await takeIdempotencyKeys(storeThat(answers), "line", [job]);
  expect(found.get(job)).toEqual({ id: "theirs" });
});

test("a key that can neither be found nor taken is an error, not a job without its key", async () => {
  await expect(takeIdempotencyKeys(storeThat({ taken: [], known: [] }), "line", [job])).rejects.toThrow(
    "by no job",
  );
});
