import { Andon } from "@andon/engine";
import { createDatabase, until } from "@andon/testkit";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/index.ts";

test("a row that another transaction keeps locked neither stops the beats nor occupies the connections for ever", async () => {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const somebody = new pg.Client(database.url);
  await somebody.connect();
  onTestFinished(() => somebody.end());
  const andon = new Andon(await openStore(database.url, { connections: 3 }));
  onTestFinished(() => andon.close());
  await somebody.query("create table own (n int); insert into own values (1)");

  const runs: AbortSignal[] = [];
  let end = () => {};
  const queue = andon.queue("line", { lease: 1_000, sweep: 500 });
  await queue.work(async (_job, { signal }) => {
    runs.push(signal);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  const { id } = await queue.add({});
  await until(async () => runs.length === 1);

  await somebody.query("begin; update own set n = 2");
  // More than there are connections: all of them wait for the row.
  const waiting = Array.from({ length: 4 }, () =>
    andon.transaction((tx) => tx.query("update own set n = n + 1")),
  );
  for (const { reason } of (await Promise.allSettled(waiting)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: "TRANSACTION_TIMEOUT" });

  // The row is still locked. The transactions that waited for it were cancelled, also on the server.
  const { rows } = await somebody.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
  expect(rows).toEqual([]);
  expect(await andon.transaction((tx) => tx.query("select 1 as one"))).toEqual([{ one: 1 }]);
  // For twice five seconds no connection was free, ten times the lease: the claim stayed valid.
  expect(runs.map(({ aborted }) => aborted)).toEqual([false]);
  end();
  await until(async () => (await andon.job(id))?.state === "done");
  await somebody.query("rollback");
});
