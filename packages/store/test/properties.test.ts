import { Andon } from "@andon/engine";
import { createDatabase } from "@andon/testkit";
import {
  checkConsistency,
  ManualClock,
  type ModelRules,
  type Move,
  moves,
  Play,
  rules,
} from "@andon/testkit/model";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

/**
 * Random sequences of all worker and operator actions, run on a real store and on a small model of it.
 * `ANDON_SEQUENCES` sets how many per store (10,000 for a night); a failure prints its seed and path, and
 * `ANDON_SEED=<seed>` with `ANDON_PATH=<path>` repeats it.
 */
const SEQUENCES = { sqlite: 400, postgres: 150 };
const sequences = (store: keyof typeof SEQUENCES) => Number(process.env.ANDON_SEQUENCES ?? SEQUENCES[store]);
const replay = {
  ...(process.env.ANDON_SEED ? { seed: Number(process.env.ANDON_SEED) } : {}),
  ...(process.env.ANDON_PATH ? { path: process.env.ANDON_PATH } : {}),
};

describe.each(["sqlite", "postgres"] as const)("random sequences on %s", (kind) => {
  const clock = new ManualClock();
  let andon: Andon;
  let drop = async () => {};

  beforeAll(async () => {
    const database = kind === "postgres" ? await createDatabase() : undefined;
    if (database) drop = database.drop;
    const url = database?.url ?? "sqlite::memory:";
    andon = new Andon(await openStore(url, { clock }));
    // The test is about order and state, not durability.
    if (database)
      await andon.transaction((tx) =>
        tx.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`),
      );
  });
  afterAll(async () => {
    await andon?.close();
    await drop();
  });

  let played = 0;
  async function play(ruled: ModelRules, sequence: readonly Move[]): Promise<void> {
    const name = `line-${played++}`;
    const game = new Play(andon, clock, name, ruled);
    for (const move of sequence) await game.play(move);
    const audited = await andon.transaction((tx) =>
      tx.query<{ rows: number }>(
        `select count(*) as rows from andon_audit where actor = 'model' and (
          target = $1 or target like $2 or target in (select 'job:' || id from andon_jobs where queue = $3))`,
        [`queue:${name}`, `lane:${name}/%`, name],
      ),
    );
    expect(audited[0]?.rows, "every decision left its row of audit").toBe(game.decisions);
  }

  test("the engine and the model agree after every move", { timeout: 600_000 }, async () => {
    const property = fc.asyncProperty(rules, moves, play);
    await fc.assert(property, { numRuns: sequences(kind), ...replay });
    await checkConsistency(andon);
  });
});
