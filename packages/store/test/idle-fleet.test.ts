import { Andon, type Queue } from "@andon/engine";
import { startPostgres, until } from "@andon/testkit";
import { countingCalls, ManualClock } from "@andon/testkit/conformance";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../src/index.ts";

const QUEUES = 8;
const PROCESSES = 2;
/** Longer than any interval between looks, checks or purges of an idle fleet. */
const MINUTES = 6;

test("an idle fleet sends almost no queries, writes nothing, holds few connections, and wakes at once", {
  timeout: 60_000,
}, async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const clock = new ManualClock();
  const busyness = { calls: 0 };
  const settled = async () => {
    for (let quiet = 0; quiet < 3; quiet = busyness.calls === 0 ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number) => {
    const end = clock.monotonic() + ms;
    do await settled();
    while (clock.moveToNext(end));
    await settled();
  };
  const fleet: { andon: Andon; queue: Queue<string> }[] = [];
  for (let process = 0; process < PROCESSES; process++) {
    const andon = new Andon(countingCalls(await openStore(server.url, { clock }), busyness));
    for (let n = 1; n < QUEUES; n++) await andon.queue(`queue-${n}`).work(() => {});
    const queue = andon.queue<string>("line");
    await queue.work((job) => job.payload);
    fleet.push({ andon, queue });
  }
  const [{ andon, queue }] = fleet as [(typeof fleet)[0]];
  const one = async (sql: string) => Number((await andon.store.query<{ n: string }>(sql))[0]?.n);
  const nextXid = () => one("select pg_snapshot_xmax(pg_current_snapshot())::text as n");
  await pass(60_000);
  expect((await andon.workers()).map(({ atWork }) => atWork)).toEqual(fleet.map(() => false));

  const before = await nextXid();
  const asked = vi.spyOn(pg.Client.prototype, "query");
  await pass(MINUTES * 60_000);
  const perSecond = asked.mock.calls.length / (PROCESSES * MINUTES * 60);
  asked.mockRestore();
  expect(perSecond).toBeGreaterThan(0);
  expect(perSecond).toBeLessThanOrEqual(0.2);
  expect(await nextXid()).toBe(before);
  // Connections that only the start needed time out.
  const connections = "select count(*) as n from pg_stat_activity where application_name = 'andon'";
  await until(async () => (await one(connections)) <= 3 * PROCESSES);

  // The clock stands still, so only the signal can wake the workers.
  const { id } = await queue.add("x");
  await until(async () => (await andon.job(id))?.state === "done");
  const closing = Promise.all(fleet.map((process) => process.andon.close()));
  await pass(1_000);
  await closing;
});
