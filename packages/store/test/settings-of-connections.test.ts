import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDatabase } from "@andon/testkit";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore, type SqlStore } from "../src/index.ts";

async function openPostgres(): Promise<SqlStore> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const store = await openStore(database.url);
  onTestFinished(() => store.close());
  return store;
}

test("statements see what their locks waited for, whatever the server's default isolation is", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const first = await openStore(database.url);
  const name = new URL(database.url).pathname.slice(1);
  await first.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
  await first.close();
  const store = await openStore(database.url);
  onTestFinished(() => store.close());
  expect(await store.query("show transaction_isolation")).toEqual([
    { transaction_isolation: "read committed" },
  ]);
});

test("a migration may take longer than any other transaction", async () => {
  const store = await openPostgres();
  const folder = await mkdtemp(join(tmpdir(), "andon-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "postgres"));
  await writeFile(
    join(folder, "postgres", "001-slow.sql"),
    "select pg_sleep(0.5); create table slow (n int);",
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const migrated = store.migrate([{ name: "slow", folder: pathToFileURL(`${folder}/`) }]);
  for (let minutes = 0; minutes < 3; minutes++) {
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(60_001);
  }
  await migrated;
  expect(await store.query("select count(*) as rows from slow")).toEqual([{ rows: 0 }]);
});
