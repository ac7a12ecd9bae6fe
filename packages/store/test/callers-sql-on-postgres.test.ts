import { Andon } from "@andon/engine";
import { createDatabase } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

const LARGE = 9_007_199_254_740_993n;

async function open(): Promise<Andon> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const andon = new Andon(await openStore(database.url));
  onTestFinished(() => andon.close());
  return andon;
}

test("arrays of integers keep values that a number cannot hold, and are accepted as parameters", async () => {
  const { store } = await open();
  const text =
    "select $1::bigint[] as flat, array[array[1, $2::bigint], array[null, 3]] as nested, null::bigint[] as none";
  expect(await store.query(text, [[LARGE, 1, null], LARGE])).toEqual([
    {
      flat: [LARGE, 1, null],
      nested: [
        [1, LARGE],
        [null, 3],
      ],
      none: null,
    },
  ]);
});

test("the store's own statements still work after a migration changed what they return", async () => {
  const andon = await open();
  const queue = andon.queue("line");
  const decide = async () => {
    await queue.stop({ actor: "kim", reason: "a look" });
    expect((await queue.status()).stopReason).toBe("a look");
    await queue.resume({ actor: "kim", reason: "looked" });
  };
  // So often that every connection has prepared the statements.
  await Promise.all(Array.from({ length: 20 }, () => queue.status()));
  await decide();
  await andon.store.query("alter table andon_queues alter column stop_reason type varchar(1000)");
  await decide();
  await Promise.all(Array.from({ length: 20 }, () => queue.status()));
});
