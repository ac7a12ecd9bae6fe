import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@andon/store";
import { expect, test } from "vitest";

/** Counts in SQLite for some hundred milliseconds or more. */
const LONG = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000000)
select count(*) as count from n`;

async function withStore(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "andon-reader-thread-"));
  const store = await openStore(`sqlite:${join(folder, "a.db")}`);
  try {
    await work(store);
  } finally {
    await store.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a long read leaves the event loop free, and short reads go on beside it", () =>
  withStore(async (store) => {
    let isOver = false;
    const scan = store.scan<{ count: number }>(LONG).finally(() => {
      isOver = true;
    });
    let turns = 0;
    while (!isOver) {
      await store.query("select 1 as one");
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    expect(await scan).toEqual([{ count: 2_000_000 }]);
    expect(turns).toBeGreaterThan(50);
  }));

test("the event loop gets a turn between any two answers", () =>
  withStore(async (store) => {
    await store.scan("select 1 as one");
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    count();
    const turns: number[] = [];
    const scans = Array.from({ length: 50 }, () =>
      store.scan("select 1 as one").then(() => void turns.push(turn)),
    );
    await new Promise((resolve) => setImmediate(resolve));
    // Meanwhile the thread answers all of them.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await Promise.all(scans);
    isOver = true;
    expect(new Set(turns).size).toBe(50);
  }));

test("a long read sees earlier commits, accepts parameters, and reports errors as the store does", () =>
  withStore(async (store) => {
    await store.transaction("make", async (tx) => {
      await tx.query("create table t (a integer, b text)");
      await tx.query("insert into t values ($1, $2)", [9_007_199_254_740_993n, "한"]);
    });
    expect(await store.scan("select a, b from t where b = $1", ["한"])).toEqual([
      { a: 9_007_199_254_740_993n, b: "한" },
    ]);
    await expect(store.scan("select missing from t")).rejects.toThrow(/no such column/);
    await expect(store.scan("select 1; select 2")).rejects.toMatchObject({ code: "SEVERAL_STATEMENTS" });
    await expect(store.scan("delete from t")).rejects.toThrow(/readonly/);
    expect(await store.scan("select count(*) as count from t")).toEqual([{ count: 1 }]);
  }));

test("closing the store rejects pending long reads and all later ones", () =>
  withStore(async (store) => {
    const refused = [LONG, LONG, LONG].map((sql) =>
      expect(store.scan(sql)).rejects.toMatchObject({ code: "CLOSED" }),
    );
    await store.close();
    await Promise.all(refused);
    await expect(store.scan("select 1")).rejects.toMatchObject({ code: "CLOSED" });
  }));
