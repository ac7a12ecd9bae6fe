import { Andon } from "@andon/engine";
import { createDatabase } from "@andon/testkit";
import { expect, onTestFinished, test } from "vitest";
import { openStore, PLANNER_SETTINGS } from "../src/index.ts";

const NAMES = Object.keys(PLANNER_SETTINGS);
const LOOK = `select ${NAMES.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`;
/** PostgreSQL's defaults, except for the settings of this database. */
const ITS_OWN = {
  plan_cache_mode: "auto",
  enable_seqscan: "on",
  enable_bitmapscan: "off",
  enable_sort: "on",
  jit: "on",
};

interface Rows {
  query(sql: string): Promise<object[]>;
}

const look = async (rows: Rows) => ({ ...(await rows.query(LOOK))[0] });

/**
 * An Andon on a database with settings of its own. A trigger on its table of jobs records the planner settings of each
 * insert.
 */
async function openWitnessed(): Promise<Andon> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const first = await openStore(database.url);
  const name = new URL(database.url).pathname.slice(1);
  for (const sql of [
    `alter database ${name} set enable_bitmapscan = off`,
    `alter database ${name} set jit = on`,
    `create table witnessed as ${LOOK} limit 0`,
    `create function witness() returns trigger language plpgsql as $$ begin insert into witnessed ${LOOK}; return null; end $$`,
    "create trigger witness after insert on andon_jobs execute function witness()",
  ])
    await first.query(sql);
  await first.close();
  const andon = new Andon(await openStore(database.url, { connections: 3 }));
  onTestFinished(() => andon.close());
  return andon;
}

test("callers' statements run with their database's planner settings, and ours with ours, in any order", async () => {
  const andon = await openWitnessed();
  const queue = andon.queue("line");
  expect(await look(andon.store)).toEqual(ITS_OWN);
  await queue.add(1);
  expect(await look(andon.store)).toEqual(ITS_OWN);
  await andon.transaction(async (tx) => {
    expect(await look(tx)).toEqual(ITS_OWN);
    await queue.add(2, { tx });
    expect(await look(tx)).toEqual(ITS_OWN);
    const [seen] = await Promise.all([look(tx), queue.add(3, { tx }), queue.add(4, { tx })]);
    expect(seen).toEqual(ITS_OWN);
  });
  await queue.add(5);
  expect(
    new Set((await andon.store.query("select * from witnessed")).map((row) => JSON.stringify(row))),
  ).toEqual(new Set([JSON.stringify(PLANNER_SETTINGS)]));
});

test("a transaction that is rolled back, whole or in part, leaves the right settings for the next statement", async () => {
  const andon = await openWitnessed();
  const queue = andon.queue("line");
  const failing = (end: (tx: Rows) => Promise<unknown>) =>
    andon.transaction(async (tx) => {
      await queue.add("lost", { tx });
      await tx.query("select 1");
      await queue.add("lost", { tx });
      await end(tx);
    });
  await queue.add("kept");
  await expect(failing(async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await look(andon.store)).toEqual(ITS_OWN);
  await expect(failing((tx) => tx.query("select 1 / 0"))).rejects.toThrow("zero");
  await queue.add("kept");
  await expect(failing((tx) => tx.query("select 1 / 0").catch(() => {}))).rejects.toMatchObject({
    code: "TRANSACTION_CLOSED",
  });
  await queue.add("kept");
  await andon.transaction(async (tx) => {
    await tx.query("savepoint here");
    await queue.add("lost", { tx });
    await tx.query("rollback to here");
    expect(await look(tx)).toEqual(ITS_OWN);
    await queue.add("kept", { tx });
  });
  expect(await look(andon.store)).toEqual(ITS_OWN);
  const witnessed = await andon.store.query("select * from witnessed");
  expect(witnessed).toHaveLength(4);
  for (const row of witnessed) expect(row).toEqual(PLANNER_SETTINGS);
});
