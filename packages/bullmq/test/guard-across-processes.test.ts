import { type NodeChild, spawnNode, until } from "@andon/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type QueueUnderTest, startQueues } from "./queue-under-test.ts";

const FIXTURE = new URL("./worker-process.fixture.mjs", import.meta.url);
const TRIALS = Number(process.env.ANDON_BULLMQ_TRIALS ?? 20);
const JOBS = 60;
/** One trial takes some seconds on a busy machine. */
const LONGEST_MS = 60_000 + TRIALS * 10_000;

let queues: Awaited<ReturnType<typeof startQueues>>;
const children: NodeChild[] = [];

beforeAll(async () => {
  queues = await startQueues();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill("SIGKILL")));
  await queues.stop();
});

async function startWorkers(count: number, queue: string, places: number): Promise<NodeChild[]> {
  const started = Array.from({ length: count }, () =>
    spawnNode(FIXTURE, [queues.redis.url, queue, String(places)]),
  );
  children.push(...started);
  for (const child of started) await child.waitForLine("ready", 60_000);
  return started;
}

/** The starts since a stop, in the order in which Redis wrote them. */
async function startsSince(line: QueueUnderTest, stopId: string | undefined) {
  const [first, ...later] = await line.events(stopId);
  expect(first).toMatchObject({ id: stopId, event: "paused" });
  return later.filter(({ event }) => event === "active");
}

test(
  `no process starts a job after the stop, in ${TRIALS} trials`,
  async () => {
    const line = queues.queue();
    await startWorkers(3, line.name, 4);
    for (let trial = 0; trial < TRIALS; trial++) {
      const poison = new Set([(trial * 7) % JOBS, (trial * 7 + 3) % JOBS]);
      await line.queue.addBulk(
        Array.from({ length: JOBS }, (_, n) => ({ name: "sync", data: { fail: poison.has(n) } })),
      );
      await line.untilPaused();

      const seen = await line.operations.inspect();
      expect(await startsSince(line, seen.stop?.stopId), `trial ${trial}`).toEqual([]);
      expect(seen.stop).toMatchObject({ pauseReason: "NAS_SYNC_FAILED", attemptsMade: 1 });
      expect(seen.status.isPaused).toBe(true);
      const { items } = await line.operations.failed(1, 100);
      expect(items.length).toBeGreaterThan(0);
      expect(items.map(({ jobId }) => jobId)).toContain(seen.stop?.failedJobId);

      // The second poison job may fail only after a resume: skip and resume until nothing is left.
      while (!(await isThrough(line))) {
        await line.operations.skipAllAndResume("checked", "kim");
        await until(async () => (await line.queue.isPaused()) || (await isThrough(line)));
      }
    }
  },
  LONGEST_MS,
);

async function isThrough(line: QueueUnderTest): Promise<boolean> {
  const { status } = await line.operations.inspect();
  return !status.isPaused && status.waiting + status.active + status.failed === 0;
}

test("another process fails the job of a killed process, and that failure stops the queue too", async () => {
  const line = queues.queue();
  const [victim] = await startWorkers(1, line.name, 1);
  await line.queue.add("sync", { hang: true }, { jobId: "hangs" });
  await victim?.waitForLine("hanging hangs");
  await victim?.kill("SIGKILL");
  await startWorkers(2, line.name, 2);
  await line.untilPaused();
  await line.queue.addBulk(Array.from({ length: 5 }, () => ({ name: "sync", data: {} })));

  const { stop, status } = await line.operations.inspect();
  expect(stop).toMatchObject({ failedJobId: "hangs", failedReason: expect.stringContaining("stalled") });
  expect(status).toMatchObject({ isPaused: true, waiting: 5, failed: 1 });
  expect(await startsSince(line, stop?.stopId)).toEqual([]);
});

test("a worker that is killed while its job fails leaves both the stop and the failure, or neither", async () => {
  const line = queues.queue();
  for (let round = 0; round < 3; round++) {
    const [victim] = await startWorkers(1, line.name, 1);
    await line.queue.addBulk([
      { name: "sync", data: {} },
      { name: "sync", data: { fail: true } },
      { name: "sync", data: {} },
    ]);
    await until(async () => (await line.events()).filter(({ event }) => event === "active").length >= 2);
    await victim?.kill("SIGKILL");
    const { stop, status } = await line.operations.inspect();
    expect(status.isPaused).toBe(stop !== null);
    expect(status.failed).toBe(stop === null ? 0 : 1);
    await line.operations.skipAllAndResume("checked", "kim");
    await line.queue.obliterate({ force: true });
  }
});
