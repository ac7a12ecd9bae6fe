import { Andon } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../src/index.ts";

const APART_MS = 20;

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
