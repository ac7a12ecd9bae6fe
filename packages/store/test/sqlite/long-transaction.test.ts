import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { Andon } from "@andon/engine";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/index.ts";

/** Ends the transaction if it blocks the event loop, so that the test fails instead of hanging. */
const LONGEST_MS = 5_000;

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "andon-long-"));
  const store = await openStore(`sqlite:${join(folder, "a.db")}`);
  const andon = new Andon(store);
  onTestFinished(async () => {
    await andon.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const queue = andon.queue<string>("line");
  await queue.add("first");
  /** A transaction that runs one statement after the other until `end` is called. */
  const long = (work: (query: (sql: string) => Promise<unknown>) => Promise<void>) => {
    let isOver = false;
    const ended = andon.transaction(async (tx) => {
      const since = performance.now();
      await queue.add("inside", { tx });
      while (!isOver && performance.now() - since < LONGEST_MS) await work((sql) => tx.query(sql));
      if (!isOver) throw new Error("nothing else ran");
      throw new Error("undone");
    });
    const end = () => {
      isOver = true;
    };
    return { ended, end };
  };
  return { store, queue, long };
}

test("timers run during a long transaction; a concurrent add and beat neither join it nor are rolled back with it", async () => {
  const { store, queue, long } = await open();
  const worker = {
    id: "w",
    host: "h",
    pid: 1,
    beat: 0,
    startedAt: 1,
    atWork: true,
    queues: [],
    rules: {},
    beatAt: null,
    version: null,
  };
  await store.beat(worker);
  const { ended, end } = long(async (query) => void (await query("select 1 as one")));
  const undone = expect(ended).rejects.toThrow("undone");
  for (let turns = 0; turns < 5; turns++) await turnOfTheLoop();
  const settled: string[] = [];
  const note = (name: string) => () => void settled.push(name);
  const beside = [
    queue.add("beside").then(note("add")),
    store.beat({ ...worker, beat: 1 }).then(note("beat")),
  ];
  for (let turns = 0; turns < 5; turns++) await turnOfTheLoop();
  expect(await queue.jobs("ready")).toMatchObject({ total: 1 });
  expect(settled).toEqual([]);
  end();
  await undone;
  await Promise.all(beside);
  expect(settled.sort()).toEqual(["add", "beat"]);
  const { items } = await queue.jobs("ready");
  expect(items.map((job) => job.payload)).toEqual(["first", "beside"]);
  expect(await store.read.workers()).toMatchObject([{ id: "w", beat: 2 }]);
});

test("statements sent at once run in the order of the calls, also across turns of the event loop", async () => {
  const { long } = await open();
  const done: number[] = [];
  let asked = 0;
  const { ended, end } = long(async (query) => {
    const ask = (number: number) => query("select 1 as one").then(() => void done.push(number));
    await Promise.all(Array.from({ length: 2_000 }, () => ask(asked++)));
  });
  const undone = expect(ended).rejects.toThrow("undone");
  for (let turns = 0; turns < 20; turns++) await turnOfTheLoop();
  end();
  await undone;
  expect(done).toEqual(Array.from({ length: asked }, (_, number) => number));
});
