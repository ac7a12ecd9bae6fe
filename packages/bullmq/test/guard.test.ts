import { guard, operate } from "@andon/bullmq";
import { until } from "@andon/testkit";
import { Queue, UnrecoverableError } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startQueues } from "./queue-under-test.ts";

let queues: Awaited<ReturnType<typeof startQueues>>;

beforeAll(async () => {
  queues = await startQueues();
});
afterAll(() => queues.stop());

test("the queue stops after the last attempt, and each attempt is kept with its time and error", async () => {
  const line = queues.queue();
  let tries = 0;
  guard(
    line.work(async (job) => {
      if (job.name === "bad") throw new Error(`ECONNREFUSED: try ${++tries}`);
    }),
  );
  await line.queue.add("bad", {}, { jobId: "bad", attempts: 3, backoff: { type: "fixed", delay: 20 } });
  await line.untilPaused();

  expect(tries).toBe(3);
  const { status, stop } = await line.operations.inspect();
  expect(status.pauseReason).toBe("JOB_FAILED");
  expect(stop).toMatchObject({ failedJobId: "bad", attemptsMade: 3, pausedBy: "system", running: 0 });
  const detail = await line.operations.failedJob("bad");
  expect(detail.attempts.map(({ attemptNumber, error }) => [attemptNumber, error])).toEqual([
    [1, "ECONNREFUSED: try 1"],
    [2, "ECONNREFUSED: try 2"],
    [3, "ECONNREFUSED: try 3"],
  ]);
  expect(detail.stackTrace).toContain("ECONNREFUSED: try 3");
  const times = detail.attempts.map(({ timestamp }) => timestamp);
  expect([...times].sort()).toEqual(times);
  expect(new Set(times).size).toBe(3);
});

test("a failure that is final before the last attempt stops the queue as well", async () => {
  for (const [why, options] of [
    ["UnrecoverableError", {}],
    ["maxStartedAttempts", { maxStartedAttempts: 1 }],
    ["a strategy that gives up", { settings: { backoffStrategy: () => -1 } }],
  ] as const) {
    const line = queues.queue();
    guard(
      line.work(async () => {
        throw why === "UnrecoverableError" ? new UnrecoverableError(why) : new Error(why);
      }, options),
    );
    await line.queue.add("bad", {}, { attempts: 5, backoff: { type: "custom" } });
    await line.untilPaused();
    expect((await line.operations.inspect()).stop, why).toMatchObject({ failedReason: why });
  }
});

test("a later failure changes neither when the queue stopped nor why", async () => {
  const line = queues.queue();
  const release: (() => void)[] = [];
  const worker = line.work(
    async (job) => {
      await new Promise<void>((resolve) => release.push(resolve));
      throw new Error(`fails: ${job.id}`);
    },
    { concurrency: 2 },
  );
  const stops: (string | null)[] = [];
  guard(worker, { reason: "NAS_SYNC_FAILED", onStop: ({ failedJobId }) => stops.push(failedJobId) });
  await line.queue.addBulk(["a", "b", "c"].map((jobId) => ({ name: "sync", data: {}, opts: { jobId } })));
  await until(async () => release.length === 2);
  release[0]?.();
  await until(() => line.queue.isPaused());
  const first = await line.operations.inspect();
  expect(first.stop).toMatchObject({ failedJobId: "a", running: 1 });
  release[1]?.();
  await line.untilPaused();

  const second = await line.operations.inspect();
  expect(second.status.failed).toBe(2);
  expect(second.stop).toEqual(first.stop);
  expect(stops).toEqual(["a"]);
});

test("a finally failed job is kept, whatever `removeOnFail` says", async () => {
  const line = queues.queue();
  guard(
    line.work(
      async () => {
        throw new Error("no");
      },
      { removeOnFail: { count: 0 } },
    ),
  );
  await line.queue.add("bad", {}, { jobId: "kept", removeOnFail: true });
  await line.untilPaused();
  expect((await line.operations.failedJob("kept")).failedReason).toBe("no");
});

test("a worker that lost the lock of its job does not stop the queue", async () => {
  const line = queues.queue();
  const worker = line.work(async (job) => {
    await queues.connection.del(`bull:${line.name}:${job.id}:lock`);
    throw new Error("too late");
  });
  guard(worker);
  const failed = new Promise((resolve) => worker.on("error", resolve));
  await line.queue.add("lost", {});
  await failed;
  expect((await line.operations.inspect()).status).toMatchObject({ isPaused: false, pausedAt: null });
});

test("Andon's keys start with the queue's prefix, so that a hash tag keeps them in one cluster slot", async () => {
  const queue = new Queue("tagged", { connection: queues.connection, prefix: "{team}" });
  const operations = operate(queue);
  await queue.pause();
  const before = await queues.connection.keys("*tagged*");
  await operations.pause("maintenance", "kim");
  const keys = await queues.connection.keys("*tagged*");
  expect(keys.filter((key) => !before.includes(key))).toEqual(["{team}:tagged:andon:stop"]);
  await queue.close();
});

test("a second guard on a worker is refused", () => {
  const worker = queues.queue().work(async () => {});
  guard(worker);
  expect(() => guard(worker)).toThrow("has a guard already");
});
