import { guard, operate } from "@andon/bullmq";
import { until } from "@andon/testkit";
import { FlowProducer } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type QueueUnderTest, startQueues } from "./queue-under-test.ts";

let queues: Awaited<ReturnType<typeof startQueues>>;

beforeAll(async () => {
  queues = await startQueues();
});
afterAll(() => queues.stop());

const failing = async () => {
  throw new Error("EACCES: permission denied");
};

/** A queue in which these jobs have failed, in this order; its worker is closed. */
async function withFailed(ids: readonly string[], data: object = {}): Promise<QueueUnderTest> {
  const line = queues.queue();
  const worker = line.work(failing);
  await line.queue.addBulk(ids.map((jobId) => ({ name: "sync", data, opts: { jobId } })));
  await until(async () => (await line.queue.getFailedCount()) === ids.length);
  await worker.close();
  return line;
}

test("the status has the five counts, and the time and reason of a pause", async () => {
  const line = queues.queue();
  await line.queue.add("soon", {}, { delay: 60_000 });
  await line.queue.addBulk([
    { name: "a", data: {} },
    { name: "b", data: {}, opts: { priority: 3 } },
  ]);
  expect(await line.operations.status()).toEqual({
    isPaused: false,
    waiting: 2,
    active: 0,
    failed: 0,
    completed: 0,
    delayed: 1,
    pausedAt: null,
    pauseReason: null,
  });
  const paused = await line.operations.pause("NAS 점검 예정", "kim");
  expect(paused).toMatchObject({ changed: true, stop: { pauseReason: "NAS 점검 예정", pausedBy: "kim" } });
  expect(await line.operations.status()).toMatchObject({
    isPaused: true,
    waiting: 2,
    pausedAt: paused.stop.pausedAt,
    pauseReason: "NAS 점검 예정",
  });
  const again = await line.operations.pause("another", "lee");
  expect(again).toEqual({ changed: false, stop: paused.stop });
});

test("a pause without a reason says MANUAL_PAUSE, and a resume says whether it changed anything", async () => {
  const line = queues.queue();
  expect((await line.operations.pause(null, "kim")).stop.pauseReason).toBe("MANUAL_PAUSE");
  await line.queue.add("a", {});
  expect(await line.operations.resume()).toMatchObject({
    changed: true,
    pendingJobs: 1,
    unresolvedFailed: 0,
  });
  expect(await line.operations.resume()).toMatchObject({ changed: false, pendingJobs: 1 });
  expect(await queues.connection.keys(`bull:${line.name}:andon:*`)).toEqual([]);
});

test("waiting workers continue at once after a resume", async () => {
  const line = queues.queue();
  line.work(async () => {});
  await line.operations.pause(null, "kim");
  await line.queue.add("later", {}, { delay: 50 });
  await line.queue.add("now", {});
  await line.operations.resume();
  await line.untilIdle();
  expect(await line.queue.getCompletedCount()).toBe(2);
});

test("a pause or resume by another tool is shown, without the reason of an earlier stop", async () => {
  const line = queues.queue();
  await line.operations.pause("first", "kim");
  await line.queue.resume();
  expect(await line.operations.status()).toMatchObject({
    isPaused: false,
    pausedAt: null,
    pauseReason: null,
  });
  await line.queue.pause();
  expect(await line.operations.status()).toMatchObject({ isPaused: true, pausedAt: null, pauseReason: null });
  expect(await line.operations.pause("said since", "kim")).toMatchObject({
    changed: true,
    stop: { pauseReason: "said since" },
  });
});

test("jobs that BullMQ 5 moved to the list `paused` start first after a resume", async () => {
  const line = queues.queue();
  await line.operations.pause(null, "kim");
  await line.queue.addBulk(["1", "2"].map((n) => ({ name: n, data: {}, opts: { jobId: `old-${n}` } })));
  await queues.connection.rename(`bull:${line.name}:wait`, `bull:${line.name}:paused`);
  await line.queue.add("new", {}, { jobId: "new" });
  expect((await line.operations.status()).waiting).toBe(3);
  await line.operations.resume();
  const order: string[] = [];
  line.work(async (job) => void order.push(job.id as string));
  await line.untilIdle();
  expect(order).toEqual(["old-1", "old-2", "new"]);
});

test("failed jobs are listed by page, newest first, with the fields of a sync event", async () => {
  const line = await withFailed(["a", "b", "c"], {
    syncEventId: "uuid-1",
    aggregateType: "FILE",
    aggregateId: "file-1",
    eventType: "NAS_SYNC_UPLOAD",
    payload: { nasPath: "/project/file.pdf" },
  });
  const first = await line.operations.failed(1, 2);
  expect(first).toMatchObject({ total: 3, page: 1, limit: 2 });
  expect(first.items.map(({ jobId }) => jobId)).toEqual(["c", "b"]);
  expect((await line.operations.failed(2, 2)).items).toEqual([
    {
      jobId: "a",
      syncEventId: "uuid-1",
      aggregateType: "FILE",
      aggregateId: "file-1",
      eventType: "NAS_SYNC_UPLOAD",
      failedReason: "EACCES: permission denied",
      attemptsMade: 1,
      failedAt: expect.any(String),
      data: { nasPath: "/project/file.pdf" },
    },
  ]);
  await expect(line.operations.failedJob("none")).rejects.toMatchObject({
    code: "JOB_NOT_FOUND",
    status: 404,
  });
});

test("a retried job starts next, with fresh attempts", async () => {
  const line = await withFailed(["bad"]);
  await line.operations.pause(null, "kim");
  await line.queue.addBulk(["x", "y"].map((jobId) => ({ name: "sync", data: {}, opts: { jobId } })));
  expect(await line.operations.retry("bad")).toMatchObject({ jobId: "bad", newJobId: "bad" });
  expect(await line.operations.event("bad")).toMatchObject({ status: "PENDING", attempts: 0 });
  await expect(line.operations.retry("bad")).rejects.toMatchObject({ code: "JOB_STATE", status: 409 });
  await expect(line.operations.skip("x", "no", "kim")).rejects.toMatchObject({ code: "JOB_STATE" });
  await line.operations.resume();
  const order: string[] = [];
  line.work(async (job) => void order.push(job.id as string));
  await line.untilIdle();
  expect(order).toEqual(["bad", "x", "y"]);
});

test("retry-all keeps the order in which the jobs failed, and passes over a job whose hash is missing", async () => {
  const ids = Array.from({ length: 230 }, (_, n) => `job-${n}`);
  const line = await withFailed(ids);
  await queues.connection.del(`bull:${line.name}:job-229`);
  await line.operations.pause(null, "kim");
  expect(await line.operations.retryAll()).toBe(229);
  expect(await line.operations.status()).toMatchObject({ isPaused: true, waiting: 229, failed: 1 });
  const next = await queues.connection.lrange(`bull:${line.name}:wait`, -2, -1);
  expect(next).toEqual(["job-1", "job-0"]);
});

test("a skipped job is removed from BullMQ and stays readable with who resolved it and why", async () => {
  const line = await withFailed(["bad"], { syncEventId: "uuid-1", payload: { nasPath: "/a" } });
  for (const reason of ["", "  "])
    await expect(line.operations.skip("bad", reason, "kim")).rejects.toMatchObject({
      code: "REASON_REQUIRED",
    });
  const skipped = await line.operations.skip("bad", "NAS에 직접 파일 복사 완료", "kim");
  expect(skipped).toMatchObject({ jobId: "bad", syncEventId: "uuid-1" });
  expect(await line.queue.getJob("bad")).toBeUndefined();
  expect(await line.operations.event("bad")).toMatchObject({
    status: "MANUALLY_RESOLVED",
    payload: { nasPath: "/a" },
    lastError: "EACCES: permission denied",
    resolvedBy: "kim",
    resolvedAt: skipped.resolvedAt,
    resolutionNote: "NAS에 직접 파일 복사 완료",
  });
  expect((await line.events()).at(-1)).toMatchObject({ event: "removed", jobId: "bad" });
  await expect(line.operations.retry("bad")).rejects.toMatchObject({ code: "JOB_STATE" });
});

test("skip-all-and-resume resolves more jobs than one step holds, and removes what a crash left behind", async () => {
  const ids = Array.from({ length: 230 }, (_, n) => `job-${n}`);
  const line = await withFailed(ids);
  await line.operations.pause(null, "kim");
  // The state after a crash between the two steps of a skip.
  await queues.connection.zrem(`bull:${line.name}:failed`, "job-7");
  await queues.connection.sadd(`bull:${line.name}:andon:leaving`, "job-7");
  expect(await line.operations.skipAllAndResume("NAS 장애 복구 완료", "kim")).toMatchObject({
    skippedCount: 229,
    changed: true,
  });
  expect(await line.operations.status()).toMatchObject({ isPaused: false, failed: 0 });
  expect(await queues.connection.exists(`bull:${line.name}:job-7`, `bull:${line.name}:andon:leaving`)).toBe(
    0,
  );
  expect(await line.operations.event("job-229")).toMatchObject({ status: "MANUALLY_RESOLVED" });
});

test("when two operators decide about one job, one of them wins", async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `job-${n}`);
  const line = await withFailed(ids);
  await line.operations.pause(null, "kim");
  const other = operate(queues.queue(line.name).queue);
  const outcomes = await Promise.all(
    ids.map((id, n) =>
      Promise.allSettled(
        n % 2
          ? [line.operations.skip(id, "copied", "kim"), other.retry(id)]
          : [other.retry(id), line.operations.skip(id, "copied", "kim")],
      ),
    ),
  );
  for (const pair of outcomes) {
    expect(pair.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [refused] = pair.filter((each) => each.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "JOB_STATE" });
  }
  const { waiting, failed } = await line.operations.status();
  const settled = await Promise.all(ids.map(async (id) => (await line.operations.event(id)).status));
  expect(settled.filter((status) => status === "MANUALLY_RESOLVED")).toHaveLength(40 - waiting);
  expect(failed).toBe(0);
});

test("a skipped child lets its parent continue, as a removal by BullMQ does", async () => {
  const line = queues.queue();
  const worker = line.work(async (job) => (job.name === "child" ? failing() : undefined));
  guard(worker);
  const flows = new FlowProducer({ connection: queues.connection });
  await flows.add({
    name: "parent",
    queueName: line.name,
    opts: { jobId: "parent" },
    children: [{ name: "child", queueName: line.name, opts: { jobId: "child" } }],
  });
  await line.untilPaused();
  expect((await line.operations.status()).delayed).toBe(1);
  await line.operations.skipAllAndResume("done by hand", "kim");
  await until(async () => (await line.queue.getJob("parent"))?.isCompleted());
  await flows.close();
});

test("a Redis that restarts empty has lost the pause: the queue runs", async () => {
  const other = await startQueues();
  const line = other.queue();
  await line.operations.pause("before", "kim");
  await other.redis.restart();
  await until(async () => (await line.operations.status().catch(() => undefined)) !== undefined);
  expect(await line.operations.status()).toMatchObject({ isPaused: false, pausedAt: null });
  await other.stop();
});
