import { Andon, commit } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import { expect, test } from "vitest";
import { openStore } from "../src/index.ts";

const COUNTERS = 10;
const JOBS = 120;

/** Handlers that each increment one of ten counters. Returns the sum, and the most jobs that one commit finished. */
async function count(shareCommits: boolean, processes: number) {
  const { url, drop } = await createDatabase();
  const store = await openStore(url);
  await store.migrate();
  const stores = [store];
  while (stores.length < processes) stores.push(await openStore(url));
  const andons = stores.map((one) => new Andon(one, { onError: () => {} }));
  await store.transaction("test", (tx) =>
    tx.query("create table counters as select n, 0 as value from generate_series(0, 9) as n"),
  );
  let written = 0;
  const queues = andons.map((andon) => andon.queue<number>("line", { shareCommits }));
  for (const queue of queues)
    await queue.work(
      (job) =>
        commit(async (tx) => {
          written++;
          await tx.query("update counters set value = value + 1 where n = $1", [job.payload % COUNTERS]);
        }),
      { places: 20 },
    );
  // In no order, so that two groups use the same counters in different orders.
  await queues[0]?.addMany(Array.from({ length: JOBS }, (_, n) => (n * 7919) % 101));
  await until(async () => (await queues[0]?.status())?.counts.done === JOBS);
  const [{ most, sum }] = (await store.query(
    "select (select max(done) from andon_claim_log) as most, (select sum(value)::int from counters) as sum",
  )) as [{ most: number; sum: number }];
  await Promise.all(andons.map((andon) => andon.close()));
  await drop();
  return { written, together: most, counted: sum };
}

test("by default no two handlers' writes share a transaction, so their locks cannot form a cycle", async () => {
  expect(await count(false, 2)).toEqual({ written: JOBS, together: 1, counted: JOBS });
});

test("with `shareCommits` the writes of several handlers share one transaction", async () => {
  const { together, counted } = await count(true, 1);
  expect(together).toBeGreaterThan(1);
  expect(counted).toBe(JOBS);
});
