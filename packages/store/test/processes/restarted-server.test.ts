import { type PostgresServer, startPostgres } from "@andon/testkit";
import { inversions, isLong, overlaps, Site, seeded, startedAgain } from "@andon/testkit/processes";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

const PROCESSES = 3;
const LANES = 20;
const ROUNDS = isLong ? 30 : 3;
const JOBS_PER_ROUND = 150;
/** Long enough that no outage here costs a worker its jobs, so not a single effect may be doubled. */
const rules = { lease: 60_000, sweep: 500, backoff: { delay: 10 } };

let server: PostgresServer;
let site: Site | undefined;
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(() => site?.close());
afterAll(() => server?.stop());

test("workers survive a server that restarts, crashes and closes their connections; no job is lost or done twice", {
  timeout: isLong ? 900_000 : 90_000,
}, async () => {
  const random = seeded(testSeed());
  const place = await Site.open("postgres", server.url);
  site = place;
  const queue = "cut";
  const members = await place.spawn(PROCESSES);
  await Promise.all(members.map((member) => member.ask({ do: "work", queue, rules, places: 6 })));
  const adder = place.andon.queue<object>(queue, rules);

  let n = 0;
  const add = async () => {
    const from = n;
    n += JOBS_PER_ROUND;
    const payloads = Array.from({ length: JOBS_PER_ROUND }, (_, index) => ({
      n: from + index,
      ms: 2 + random.below(8),
      failures: random.below(20) === 0 ? 1 : 0,
      writes: random.below(4) === 0,
    }));
    // Whether an interrupted add arrived is unknown; its key makes it safe to send again.
    for (;;) {
      try {
        await adder.addMany(payloads, (_, index) => ({
          key: `lane-${(from + index) % LANES}`,
          idempotencyKey: String(from + index),
        }));
        return;
      } catch (error) {
        if (!place.andon.store.isUnavailable(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const ends = () => place.ledger.read(queue).filter((entry) => entry.what === "end").length;

  // Fast workers may finish all jobs before the next fault.
  const atMostAll = (count: number) => Math.min(count, n);

  await add();
  for (let round = 0; round < ROUNDS; round++) {
    const reached = atMostAll(ends() + random.below(60) + 20);
    await place.until("at work", () => ends() >= reached);
    const adding = add();
    if (round % 3 === 2) await server.kill();
    await server.restart();
    await adding;
    for (let cut = 0; cut < 6; cut++) {
      const at = atMostAll(ends() + random.below(8) + 2);
      await place.until("at work again", () => ends() >= at);
      await cutConnections(place.url, random.below(2) === 0);
    }
  }
  await place.until("the store answers", () =>
    place.counts(queue).then(
      () => true,
      () => false,
    ),
  );
  await place.drained(queue, n);

  const entries = place.ledger.read(queue);
  expect(members.map(({ child }) => child.stderr).filter((text) => text.includes("node:internal"))).toEqual(
    [],
  );
  expect(new Set(entries.filter(({ what }) => what === "end").map((entry) => entry.n)).size).toBe(n);
  expect(inversions(entries)).toEqual([]);
  expect(overlaps(entries)).toEqual([]);
  const failed = new Set(entries.filter(({ what }) => what === "threw").map((entry) => entry.n));
  const doubled = [...startedAgain(entries)].filter(
    ([job, starts]) => starts.length > (failed.has(job) ? 2 : 1),
  );
  expect(doubled).toEqual([]);
  const effects = await place.query<{ count: number; jobs: number }>(
    "select count(*) as count, count(distinct job_id) as jobs from andon_test_effects",
  );
  expect(effects[0]?.count).toBe(effects[0]?.jobs);
  expect((await place.andon.workers()).length).toBe(PROCESSES);
});

/** Closes connections of the fleet: all of them, or those with an even pid. */
async function cutConnections(url: string, all: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "scissors" });
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'andon%' and ($1 or pid % 2 = 0)`,
    [all],
  );
  await client.end();
}
