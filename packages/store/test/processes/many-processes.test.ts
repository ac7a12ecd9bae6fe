import { firstStarts, isLong, KINDS, overlaps, Site, startedAgain } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";

const WORKERS = { postgres: 4, sqlite: 2 };
const ADDERS = 3;
const JOBS = { postgres: isLong ? 50_000 : 5_000, sqlite: isLong ? 50_000 : 3_000 };
const ONE_LANE = 2_000;

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)("%s: a job added by one process is started by another without delay", async (kind) => {
  const place = await Site.open(kind);
  site = place;
  const [adder, worker] = await place.spawn(2);
  const queue = "woken";
  await worker?.ask({ do: "work", queue });
  const waits: number[] = [];
  for (let n = 0; n < 10; n++) {
    const before = Number(process.hrtime.bigint() / 1_000n);
    await adder?.ask({ do: "add", queue, jobs: [{ payload: { n } }] });
    await place.entry((entry) => entry.n === n && entry.what === "end", `job ${n} ran`);
    const start = place.ledger.read(queue).find((entry) => entry.n === n);
    expect(start?.pid).toBe(worker?.pid);
    waits.push((start?.at ?? 0) - before);
  }
  // Without a signal between processes a worker looks once a second, so half of the jobs would take longer than that.
  expect(waits.sort((a, b) => a - b)[4]).toBeLessThan(400_000);
});

test.for(KINDS)(
  "%s: many processes add at once and many work: every job runs exactly once",
  { timeout: isLong ? 600_000 : 90_000 },
  async (kind) => {
    const place = await Site.open(kind);
    site = place;
    const queue = "many";
    const members = await place.spawn(WORKERS[kind] + ADDERS);
    const workers = members.slice(ADDERS);
    const adders = members.slice(0, ADDERS);
    await Promise.all(workers.map((member) => member.ask({ do: "work", queue, places: 25 })));
    const each = Math.ceil(JOBS[kind] / ADDERS);
    await Promise.all(
      adders.map((adder, index) =>
        adder.ask({
          do: "add",
          queue,
          apart: true,
          jobs: Array.from({ length: each }, (_, nth) => {
            const n = index * each + nth;
            return { payload: { n }, options: n % 2 === 0 ? {} : { key: `adder-${index}-${n % 50}` } };
          }),
        }),
      ),
    );
    const total = each * ADDERS;
    await place.drained(queue, total);
    const entries = place.ledger.read(queue);
    expect(firstStarts(entries).length).toBe(total);
    expect([...startedAgain(entries).keys()]).toEqual([]);
    expect(overlaps(entries)).toEqual([]);
    const atWork = new Set(entries.map((entry) => entry.pid));
    expect(atWork.size).toBeGreaterThan(1);
  },
);

test.for(KINDS)(
  `%s: ${ONE_LANE} jobs of one key, added in one call, run in order`,
  { timeout: 60_000 },
  async (kind) => {
    const place = await Site.open(kind);
    site = place;
    const queue = "bulk";
    const members = await place.spawn(2);
    await Promise.all(members.map((member) => member.ask({ do: "work", queue })));
    const jobs = Array.from({ length: ONE_LANE }, (_, n) => ({ payload: { n }, options: { key: "one" } }));
    await members[0]?.ask({ do: "add", queue, jobs });
    await place.drained(queue, ONE_LANE);
    const starts = place.ledger.read(queue).filter((entry) => entry.what === "start");
    expect(starts.map((entry) => entry.n)).toEqual(jobs.map(({ payload }) => payload.n));
    expect(overlaps(place.ledger.read(queue))).toEqual([]);
  },
);
