import { Andon } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../src/index.ts";

const APART_MS = 20;
const WORKERS = 40;
/** The shortest time between two notifications to 40 workers. */
const GAP_MS = 20;
const ADDS = 30;
const SPACE_MS = 5;

test("a single add notifies the workers of other processes with its own commit", async () => {
  const database = await createDatabase();
  const [adding, working] = [
    new Andon(await openStore(database.url)),
    new Andon(await openStore(database.url)),
  ];
  onTestFinished(async () => {
    await Promise.all([adding.close(), working.close()]);
    await database.drop();
  });
  const queue = adding.queue<number>("line");
  const done: number[] = [];
  await working.queue<number>("line").work(({ payload }) => void done.push(payload));
  await queue.add(0);
  await until(async () => done.length === 1);

  const asked = vi.spyOn(pg.Client.prototype, "query");
  const texts = () =>
    asked.mock.calls.map(([query]) =>
      typeof query === "string" ? query : String((query as { text?: string }).text),
    );
  const own = () =>
    texts().filter((text) => text.includes("andon_job_numbers") && text.includes("pg_notify"));
  // On a slow machine another signal may come just before, and then the add notifies afterwards.
  for (let n = 1; own().length === 0; n++) {
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
    await queue.add(n);
    await until(async () => done.length === n + 1);
  }
  expect(own()).toHaveLength(1);
  asked.mockRestore();
});

test("the more workers a notification wakes, the fewer are sent", async () => {
  const database = await createDatabase();
  const andon = new Andon(await openStore(database.url));
  onTestFinished(async () => {
    await andon.close();
    await database.drop();
  });
  const queue = andon.queue<number>("line");
  await andon.store.query(
    `insert into andon_workers (id, host, pid, beat, started_at, queues)
     select 'worker-' || n, 'host', n, 0, 0, '[]' from generate_series(1, $1) n`,
    [WORKERS],
  );
  await queue.add(0);
  await new Promise((resolve) => setTimeout(resolve, GAP_MS));
  const asked = vi.spyOn(pg.Client.prototype, "query");
  const began = performance.now();
  for (let n = 1; n <= ADDS; n++) {
    await queue.add(n);
    await new Promise((resolve) => setTimeout(resolve, SPACE_MS));
  }
  const most = (performance.now() - began) / GAP_MS + 2;
  const sent = asked.mock.calls.filter(([query]) =>
    String(typeof query === "string" ? query : (query as { text?: string }).text).includes("pg_notify"),
  );
  asked.mockRestore();
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual(most);
});
