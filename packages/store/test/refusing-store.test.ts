import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Andon, commit, type Store } from "@andon/engine";
import { createDatabase, startPostgres, until } from "@andon/testkit";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

interface Place {
  readonly store: Store;
  /** Makes the store refuse writes. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  remove(): Promise<void>;
}

async function readOnlyPostgres(): Promise<Place> {
  const { url, drop } = await createDatabase();
  const name = new URL(url).pathname.slice(1);
  const tell = async (setting: string) => {
    const client = new pg.Client({ connectionString: url, application_name: "teller" });
    await client.connect();
    await client.query("set default_transaction_read_only = off");
    await client.query(`alter database ${name} ${setting}`);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'andon%'`,
    );
    await client.end();
  };
  return {
    store: await openStore(url),
    refuse: () => tell("set default_transaction_read_only = on"),
    accept: () => tell("reset default_transaction_read_only"),
    remove: drop,
  };
}

async function fullSqlite(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "andon-full-"));
  const store = await openStore(`sqlite:${join(folder, "andon.db")}`);
  const pages = async (most: number) => {
    await store.transaction("test", (tx) => tx.query(`pragma max_page_count = ${most}`));
  };
  return {
    store,
    // The smallest limit is the file's present size. A write that shares the commit may need one more page, and then
    // fails this one too.
    refuse: () => pages(1).catch(() => {}),
    accept: () => pages(1_000_000),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

describe.each([
  ["a PostgreSQL that became read-only", readOnlyPostgres],
  ["a SQLite file on a full disk", fullSqlite],
])("%s", (_, open) => {
  test("fails no job whose outcome it refuses, and stores the outcome once it accepts writes again", async () => {
    const { store, refuse, accept, remove } = await open();
    await store.migrate();
    const errors: unknown[] = [];
    const andon = new Andon(store, { onError: (error) => errors.push(error) });
    await store.transaction("test", (tx) => tx.query("create table notes (text text)"));
    const queue = andon.queue("line", { attempts: 1, onFinalFailure: "stop-queue" });
    await queue.work(async () => {
      await refuse();
      const text = "x".repeat(200_000);
      return commit(async (tx) => void (await tx.query("insert into notes (text) values ($1)", [text])));
    });
    const { id } = await queue.add({});
    // More often than the retries for a write that is itself at fault.
    await until(async () => errors.filter((error) => store.isUnavailable(error)).length > 5);
    await accept();
    const job = await until(async () => {
      const found = await andon.job(id).catch(() => undefined);
      return found?.state !== "running" && found;
    });
    expect(job).toMatchObject({ state: "done", attempts: 0 });
    await andon.close();
    await remove();
  });

  test("rejects every gathered add as unavailable", async () => {
    const { store, refuse, accept, remove } = await open();
    await store.migrate();
    const andon = new Andon(store, { onError: () => {} });
    const queue = andon.queue<string>("line");
    await queue.add("before");
    await refuse();
    const adds = Array.from({ length: 20 }, () => queue.add("x".repeat(100_000)));
    for (const add of await Promise.allSettled(adds))
      expect([add.status, "reason" in add && store.isUnavailable(add.reason)]).toEqual(["rejected", true]);
    await accept();
    await until(() => queue.add("after").catch(() => undefined));
    await andon.close();
    await remove();
  });
});

test("a handler whose writes exceed the server's memory fails, and is not retried for ever", async () => {
  const server = await startPostgres();
  const store = await openStore(server.url);
  await store.migrate();
  const andon = new Andon(store, { onError: () => {} });
  const queue = andon.queue("line", { attempts: 1, onFinalFailure: "skip" });
  const locks = "select count(pg_advisory_xact_lock(n)) from generate_series(1, 1000000) as n";
  await queue.work(() => commit(async (tx) => void (await tx.query(locks))));
  const { id } = await queue.add({});
  const job = await until(async () => {
    const found = await andon.job(id);
    return found?.state !== "running" && found?.state !== "ready" && found;
  });
  expect(job).toMatchObject({ state: "skipped", error: { code: "53200" } });
  await andon.close();
  await server.stop();
});
