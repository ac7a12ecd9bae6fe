import { Andon } from "@andon/engine";
import { createDatabase } from "@andon/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../src/index.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
let andon: Andon;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  andon = new Andon(await openStore(database.url));
  pool = new pg.Pool({ connectionString: database.url });
  // The end of a pool does not wait for its connections, and a dropped database cuts those that are left.
  pool.on("connect", (client) => client.on("error", () => {}));
});
afterAll(async () => {
  await andon?.close();
  await pool?.end();
  await database?.drop();
});

test("a pool is refused as `tx`", async () => {
  const queue = andon.queue("pooled");
  await expect(queue.add("x", { tx: pool })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    details: { option: "tx" },
  });
  expect((await queue.status()).counts.ready).toBe(0);
});

test("a client's transaction is accepted from its `begin` on, awaited or not, with or without a transaction status", async () => {
  const queue = andon.queue("begun");
  const client = await pool.connect();
  const silent = { query: client.query.bind(client) };
  for (const tx of [client, silent]) {
    const begun = client.query("begin");
    await queue.add("kept", { tx });
    await begun;
    await client.query("commit");
    await expect(queue.add("refused", { tx })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  }
  client.release();
  expect((await queue.status()).counts.ready).toBe(2);
});

test("calls that wait for a connection are rejected at once when Andon closes", async () => {
  const other = new Andon(await openStore(database.url, { connections: 3 }));
  const queue = other.queue("closing");
  const calls = Array.from({ length: 20 }, (_, n) => (n % 2 ? other.job("x") : queue.jobs("ready")));
  const settled = Promise.allSettled([queue.add("x"), ...calls]);
  const started = performance.now();
  await other.close();
  const refused = (await settled).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(refused.length).toBeGreaterThan(0);
  for (const reason of refused) expect(reason).toMatchObject({ code: "CLOSED" });
});
