import { Andon, type Store } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

let url: string;
let drop: () => Promise<void>;
let store: Store;
let andon: Andon;
let other: pg.Client;

beforeEach(async () => {
  ({ url, drop } = await createDatabase());
  store = await openStore(url);
  andon = new Andon(store, { onError: () => {} });
  other = new pg.Client({ connectionString: url, application_name: "other" });
  await other.connect();
});

afterEach(async () => {
  await andon.close();
  await other.end();
  await drop();
});

/** Terminates the Andon connections whose statements wait for a lock on this table. */
async function cutWhileReading(table: string): Promise<void> {
  await other.query("begin");
  await other.query(`lock table ${table} in access exclusive mode`);
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and application_name like 'andon%' and wait_event_type = 'Lock'`;
  await until(async () => {
    // Within a transaction the first snapshot of the view would be returned again and again.
    await other.query("select pg_stat_clear_snapshot()");
    return (await other.query(waiting)).rows.length > 0;
  });
  await other.query(`select pg_terminate_backend(pid) from (${waiting}) as reading`);
  await other.query("rollback");
}

test("drained continues after a lost connection, and resolves when the work is done", async () => {
  const queue = andon.queue<number>("line");
  await queue.add(1);
  const drained = queue.drained({ signal: AbortSignal.timeout(20_000) });
  await cutWhileReading("andon_queues");
  await queue.work(() => {});
  expect((await drained).counts).toMatchObject({ done: 1, ready: 0 });
});

test("drained ends when Andon is closed", async () => {
  const queue = andon.queue<number>("line");
  await queue.add(1);
  const drained = queue.drained({ signal: AbortSignal.timeout(20_000) });
  drained.catch(() => {});
  await andon.close();
  await expect(drained).rejects.toMatchObject({ code: "CLOSED" });
});

test("watch continues after a lost connection, and misses no event", async () => {
  const queue = andon.queue<number>("line");
  await queue.status();
  const feed = andon.watch({ queue: "line", after: 0, signal: AbortSignal.timeout(20_000) });
  const first = feed.next();
  await cutWhileReading("andon_events");
  await queue.stop({ actor: "kim" });
  expect((await first).value).toMatchObject({ type: "queue.stopped", data: { actor: "kim" } });
  await feed.return();
});
