import type { FailurePolicy, Job } from "@andon/contract";
import type { Queue } from "@andon/engine";
import { expect, test } from "vitest";
import { type AlertProcess, describeAlerts, eventually, KIM, type QueueParts } from "./alert-bench.ts";

const describe = (job: Job) => ({
  aggregateType: "FILE",
  aggregateId: "7",
  eventType: "NAS_SYNC_MOVE",
  data: {},
  name: `${job.payload}.pdf`,
});

function lineWith(process: AlertProcess, onFinalFailure: FailurePolicy, more: QueueParts = {}) {
  const rules = { attempts: 1, onFinalFailure, stopReason: "NAS_SYNC_FAILED" };
  return process.queue("nas-sync", { rules, heldAlert: "FILE_SYNC_FAILED", describe, ...more });
}

function failing(queue: Queue<string>) {
  return queue.work(
    (job) => {
      if (job.payload === "bad") throw new Error("denied");
    },
    { places: 1 },
  );
}

function firing({ alerts }: AlertProcess) {
  return alerts.list({ state: "firing" }, 1, 20).then(({ total }) => total);
}

describeAlerts("the alert of a final failure", (bench) => {
  test("reports that the rest is cancelled, until the failed job is queued again", async () => {
    const process = await bench().process();
    const queue = lineWith(process, "cancel-rest");
    const [bad] = await queue.addMany(["bad", "rest"], { keys: ["file:7", "path:x"] });
    const worker = await failing(queue);
    const alert = await eventually("it fires", async () => (await process.all())[0]);
    expect(alert).toMatchObject({
      type: "FILE_SYNC_FAILED",
      severity: "WARNING",
      title: "파일 동기화 실패 - 뒤 작업 취소됨",
      message: '파일 동기화가 1회 실패하여 "bad.pdf"의 뒤 작업이 취소되었습니다.',
      details: { syncEventId: bad?.id, name: "bad.pdf", lane: "file:7", error: "denied", queue: "nas-sync" },
      resolvedAt: null,
    });
    await process.look();
    expect((await process.one()).resolvedAt).toBeNull();
    await worker.close();
    const other = lineWith(await bench().process(), "cancel-rest", { hasHooks: false });
    await other.retry(bad?.id as string, KIM);
    expect((await process.one()).resolvedAt).toBeNull();
    await process.look();
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("reports that the rest is cancelled, until the failed job is resolved by hand", async () => {
    const process = await bench().process({ settings: { language: "en" } });
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "cancel-rest" } });
    const { id } = await queue.add("bad", { key: "k" });
    await failing(queue);
    await eventually("it fires", async () => (await process.all())[0]);
    expect(await process.one()).toMatchObject({
      type: "JOB_FAILED",
      message: 'A job of the queue "line" has failed (attempts: 1) and the later ones of "k" are cancelled.',
    });
    await queue.skip(id, KIM);
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("reports skipped jobs once per cause, and resolves when no more are skipped", async () => {
    const process = await bench().process();
    const queue = lineWith(process, "skip");
    await queue.addMany(["bad", "rest", "bad"], { key: "file:7" });
    await failing(queue);
    await eventually("both are told", async () => (await process.all())[0]?.details.count === 2);
    expect(await process.one()).toMatchObject({
      type: "FILE_SYNC_FAILED",
      title: "파일 동기화 실패 - 작업 건너뜀",
      message:
        '같은 원인으로 파일 작업 2개가 실패하여 건너뛰었습니다. 최근 파일: "bad.pdf". 뒤 작업은 계속 처리됩니다.',
      deliveries: [{ channel: "log", state: "PENDING" }],
      resolvedAt: null,
    });
    expect((await process.andon.outbox.queue.status()).counts.ready).toBe(1);
    bench().clock.ahead = 301_000;
    await process.look();
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("does not fire in a queue whose policy is to skip, unless the queue has its own alert type", async () => {
    const process = await bench().process();
    const queue = process.queue("mail", { rules: { attempts: 1, onFinalFailure: "skip" } });
    const { id } = await queue.add("bad");
    await failing(queue);
    await eventually("it is skipped", async () => (await process.andon.job(id))?.state === "skipped");
    expect(await process.all()).toEqual([]);
  });

  test("is only the stop's alert if the failure stops the queue", async () => {
    const process = await bench().process();
    const queue = lineWith(process, "stop-queue");
    const [bad] = await queue.addMany(["bad", "rest"], { keys: ["file:7", "path:x"] });
    await failing(queue);
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    expect((await queue.lanes({ held: true })).total).toBe(2);
    expect(await process.one()).toMatchObject({
      type: "NAS_SYNC_FAILED_QUEUE_PAUSED",
      details: { name: "bad.pdf" },
    });
    await process.look();
    expect(await process.all()).toHaveLength(1);
    await queue.resume(KIM);
    const [held, stopped] = await process.all();
    expect(stopped?.resolvedAt).not.toBeNull();
    expect(held).toMatchObject({
      type: "FILE_SYNC_FAILED",
      details: { name: "bad.pdf", lane: "file:7" },
      resolvedAt: null,
    });
    await process.look();
    expect(await firing(process)).toBe(1);
    await queue.skip(bad?.id as string, KIM);
    expect(await firing(process)).toBe(0);
  });

  test("resolves with the resume if the failed job was settled before", async () => {
    const process = await bench().process();
    const queue = lineWith(process, "stop-queue");
    const { id } = await queue.add("bad", { key: "file:7" });
    await failing(queue);
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    await queue.skip(id, KIM);
    await queue.resume(KIM);
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test.each([
    ["the queue stays open", "hold-lane"],
    ["the queue was paused by hand in the meantime", "stop-queue"],
  ] as const)("is one for all failed jobs without a lane, until none is left, when %s", async (_, policy) => {
    const process = await bench().process({ settings: { language: "en" } });
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: policy } });
    const fail: (() => void)[] = [];
    const added = await queue.addMany(["a", "b"]);
    await queue.work(() => new Promise((_, reject) => fail.push(() => reject(new Error("no")))));
    await eventually("both run", () => fail.length === 2);
    if (policy === "stop-queue") await queue.stop(KIM);
    for (const each of fail.splice(0)) each();
    await eventually("both have failed", async () => (await queue.status()).counts.failed === 2);
    expect(await process.one()).toMatchObject({
      type: "JOB_FAILED",
      severity: "WARNING",
      message:
        '2 jobs of the queue "line" have failed with the same cause. Nothing waits for them. This alert lasts until all are settled.',
      details: { count: 2, unsettled: 2 },
      resolvedAt: null,
    });
    for (const { id } of added) {
      await process.look();
      expect((await process.one()).resolvedAt).toBeNull();
      await queue.skip(id, KIM);
    }
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("fires after a resume for failed jobs that hold no lane", async () => {
    const process = await bench().process();
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "stop-queue" } });
    const fail: (() => void)[] = [];
    const added = await queue.addMany(["a", "b"]);
    await queue.work(() => new Promise((_, reject) => fail.push(() => reject(new Error("no")))));
    await eventually("both run", () => fail.length === 2);
    for (const each of fail.splice(0)) each();
    await eventually("both have failed", async () => (await queue.status()).counts.failed === 2);
    expect(await process.one()).toMatchObject({ type: "JOB_FAILED_QUEUE_PAUSED" });
    await queue.resume(KIM);
    const [failed, stopped] = await process.all();
    expect(stopped?.resolvedAt).not.toBeNull();
    expect(failed).toMatchObject({ type: "JOB_FAILED", resolvedAt: null });
    for (const { id } of added) await queue.skip(id, KIM);
    await process.look();
    expect(await firing(process)).toBe(0);
  });

  test("stays open for a job that fails while the watcher resolves the alert", async () => {
    const process = await bench().process();
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "hold-lane" } });
    await failing(queue);
    const { id } = await queue.add("bad");
    await eventually("it fires", async () => (await process.all())[0]);
    // A program without these hooks settles the job, so only the watcher can see that the alert is over.
    const other = (await bench().process()).queue("line", { hasHooks: false });
    await other.skip(id, KIM);

    const { failures } = process.andon.store.read;
    const { countFailed } = failures;
    failures.countFailed = async (...asked) => {
      const left = await countFailed(...asked);
      // The watcher knows that the alert is over. Before it writes that, the next job fails and finds the alert open.
      failures.countFailed = countFailed;
      await queue.add("bad");
      await eventually("it has failed", async () => (await queue.status()).counts.failed === 1);
      return left;
    };
    await process.look();
    expect(await process.all()).toHaveLength(1);
    expect(await firing(process)).toBe(1);
  });

  test("shows the error with its code, as the list of failures does", async () => {
    const process = await bench().process();
    const queue = lineWith(process, "stop-queue");
    await queue.work(() => {
      throw Object.assign(new Error("NAS connection refused"), { code: "ECONNREFUSED" });
    });
    await queue.add("bad", { key: "file:7" });
    await eventually("it fires", async () => (await process.all())[0]);
    expect((await process.one()).details.error).toBe("ECONNREFUSED: NAS connection refused");
  });

  test("reports a lane that is held after the stop, without claims that the stop makes untrue", async () => {
    const process = await bench().process({ settings: { language: "en" } });
    const queue = lineWith(process, "stop-queue");
    const fail: (() => void)[] = [];
    await queue.work(() => new Promise((_, reject) => fail.push(() => reject(new Error("no")))));
    await queue.addMany(["a", "b"], (payload) => ({ key: payload }));
    await eventually("both run", () => fail.length === 2);
    for (const each of fail.splice(0)) each();
    await eventually("both have failed", async () => (await queue.status()).counts.failed === 2);
    const types = (await process.all()).map(({ type }) => type).sort();
    expect(types).toEqual(["FILE_SYNC_FAILED", "NAS_SYNC_FAILED_QUEUE_PAUSED"]);
    const held = (await process.all()).find(({ type }) => type === "FILE_SYNC_FAILED");
    expect(held?.message).toMatch(
      /^The sync of a file has failed \(attempts: 1\) and the work on "[ab]\.pdf" is held\. Other files are not affected\.$/,
    );
  });
});
