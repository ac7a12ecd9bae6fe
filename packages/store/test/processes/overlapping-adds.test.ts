import { type PostgresServer, startPostgres } from "@andon/testkit";
import {
  isLong,
  KINDS,
  overlaps,
  type SeededRandom,
  Site,
  seeded,
  startsByLane,
} from "@andon/testkit/processes";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

/*
 * Transactions of several processes that overlap and add to the same lanes. The order of commits does not come from the
 * engine: each transaction writes a row of its own, and the database gives the order in which those were committed
 * (PostgreSQL by the commit timestamp of the row's transaction; SQLite has one writer, so by the row's number).
 */
const ROUNDS = isLong ? 10_000 : 400;
const PROCESSES = 2;
const PARALLEL = 3;

let server: PostgresServer;
let site: Site | undefined;

beforeAll(async () => {
  server = await startPostgres({ settings: { track_commit_timestamp: "on" } });
});
afterEach(async () => {
  await site?.close();
  site = undefined;
});
afterAll(() => server?.stop());

/** The sets of keys per pattern: one lane, or lanes in conflicting orders. */
const PATTERNS = {
  "one key": [["a"]],
  "crossed keys": [["a", "b"], ["b", "a"], ["c", "a", "b"], ["b", "c"], ["c", "b"], ["a"], ["b"], ["c"]],
};

test.for(KINDS.flatMap((kind) => Object.entries(PATTERNS).map(([name, keys]) => ({ kind, name, keys }))))(
  "$kind, $name: jobs run in the order in which the transactions that added them were committed",
  { timeout: isLong ? 600_000 : 90_000 },
  async ({ kind, keys }) => {
    const seed = testSeed();
    const place = await Site.open(kind, server.url);
    site = place;
    const queue = "overlap";
    const [worker, ...adders] = await place.spawn(1 + PROCESSES);
    await worker?.ask({ do: "work", queue, places: 6 });

    // Two transactions make a round: each overlaps with those that run at the same time.
    const each = (2 * ROUNDS) / PROCESSES;
    const committed = await Promise.all(
      adders.map((adder, index) =>
        adder.ask<number[]>({
          do: "overlap",
          queue,
          seed: seed + index,
          from: index * each,
          transactions: each,
          parallel: PARALLEL,
          keys,
          foreign: kind === "postgres",
        }),
      ),
    );
    const total = committed.flat().length;
    expect(total).toBeGreaterThan(ROUNDS);
    await place.drained(queue, total);

    const order = kind === "postgres" ? "pg_xact_commit_timestamp(e.xmin)" : "e.rowid";
    const rows = await place.query<{ payload: string; lane_keys: string }>(
      `select j.payload, j.lane_keys from andon_test_effects e join andon_jobs j on j.id = e.job_id order by ${order}`,
    );
    expect(rows.length).toBe(total);
    const commits = new Map<string, number[]>();
    for (const row of rows) {
      for (const key of JSON.parse(row.lane_keys) as string[])
        commits.set(key, [...(commits.get(key) ?? []), (JSON.parse(row.payload) as { n: number }).n]);
    }
    const entries = place.ledger.read(queue);
    const starts = startsByLane(entries);
    expect([...starts.keys()].sort()).toEqual([...commits.keys()].sort());
    for (const [key, order] of commits) {
      const ran = starts.get(key) ?? [];
      expect(ran.length, `jobs of lane ${key}`).toBe(order.length);
      expect(ran.filter((n, index) => n !== order[index]).length, `inversions in lane ${key}`).toBe(0);
    }
    expect(overlaps(entries)).toEqual([]);
    if (kind === "postgres") expect(await place.deadlocks()).toBe(0);
  },
);

/** Each job has its keys in an order of its own: locks taken in that order would deadlock. */
const CROSSED = PATTERNS["crossed keys"];

test("postgres: adds, due times, retries and cancelled lanes that cross never deadlock", {
  timeout: 90_000,
}, async () => {
  const random = seeded(testSeed());
  const place = await Site.open("postgres", server.url);
  site = place;
  const queue = "crossed";
  const rules = { attempts: 9, backoff: { type: "fixed" as const, delay: 20 } };
  const members = await place.spawn(2);
  await Promise.all(members.map((member) => member.ask({ do: "work", queue, rules })));
  const operator = place.andon.queue(queue, rules);
  // Creates every lane first.
  await operator.addMany([0, 1], { keys: ["a", "b", "c"] });

  let n = 2;
  for (let round = 0; round < (isLong ? 600 : 60); round++) {
    const batches = members.map(() => Array.from({ length: 6 }, () => crossedJob(n++, random)));
    const added = members.map((member, index) =>
      member.ask({ do: "add", queue, apart: true, jobs: batches[index] ?? [] }),
    );
    const key = ["a", "b", "c"][random.below(3)] as string;
    if (round % 4 === 0) await operator.cancelRest(key, { actor: "test" });
    await Promise.all(added);
  }
  const isOver = async () => {
    const { done, cancelled } = await place.counts(queue);
    return done + cancelled === n;
  };
  await place.until("every job done or cancelled", isOver);
  expect(overlaps(place.ledger.read(queue))).toEqual([]);
  expect(await place.deadlocks()).toBe(0);
});

function crossedJob(n: number, random: SeededRandom) {
  const keys = CROSSED[random.below(CROSSED.length)] as string[];
  const later = random.below(2) === 0 ? { delay: 1 + random.below(40) } : {};
  return { payload: { n, failures: random.below(3) === 0 ? 1 : 0 }, options: { keys, ...later } };
}
