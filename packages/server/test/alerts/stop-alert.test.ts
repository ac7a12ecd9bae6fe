import { expect, test } from "vitest";
import { describeAlerts, eventually, KIM } from "./alert-bench.ts";

const NAS = { rules: { mode: "serial" as const, backoff: { delay: 1 }, stopReason: "NAS_SYNC_FAILED" } };

describeAlerts("the alert of a stop", (bench) => {
  test("is written with the stop: its Korean text, its details, and a message per channel", async () => {
    const process = await bench().process({
      settings: { channels: [{ type: "webhook", url: "https://hooks.example.com/T0/secret-path" }] },
    });
    const describe = () => ({ aggregateType: "FILE", aggregateId: "file-7", eventType: "CREATE", data: {} });
    const queue = process.queue("nas-sync", { ...NAS, describe });
    const { id } = await queue.add("a");
    await queue.add("b");
    await queue.work(() => {
      throw new Error("NAS connection timeout");
    });
    await eventually("the queue stops", async () => (await queue.status()).state === "stopped");

    const job = await process.andon.job(id);
    const alert = await process.one();
    expect(alert).toMatchObject({
      type: "NAS_SYNC_FAILED_QUEUE_PAUSED",
      severity: "CRITICAL",
      title: "NAS 동기화 실패 - 큐 일시정지됨",
      message: "NAS 동기화가 3회 실패하여 큐가 일시정지되었습니다.\n수동 처리 후 큐 재개가 필요합니다.",
      resolvedAt: null,
    });
    expect(alert.details).toEqual({
      jobId: job?.ticket,
      syncEventId: id,
      aggregateType: "FILE",
      aggregateId: "file-7",
      eventType: "CREATE",
      error: "NAS connection timeout",
      pendingJobCount: 1,
      queue: "nas-sync",
    });
    expect(alert.deliveries).toEqual([
      { channel: "log", state: "PENDING", attempts: 0, lastError: null },
      { channel: "webhook:hooks.example.com", state: "PENDING", attempts: 0, lastError: null },
    ]);
    const messages = (await process.andon.outbox.queue.jobs("ready")).items;
    expect(messages.map(({ name, keys }) => [name, keys[0]])).toEqual([
      ["alert.log", "alert:log"],
      ["alert.webhook", "alert:webhook:hooks.example.com"],
    ]);
    expect(JSON.stringify(messages)).not.toContain("secret-path");
  });

  test("is rolled back with the stop when a later hook throws, and the watcher fires it afterwards", async () => {
    const process = await bench().process();
    const thenStopped = () => {
      throw new Error("a hook of the app");
    };
    const queue = process.queue("nas-sync", { ...NAS, thenStopped });
    await queue.add("a");
    await queue.work(() => {
      throw new Error("no");
    });
    const status = await eventually("the engine stops without hooks", async () => {
      const now = await queue.status();
      return now.state === "stopped" && now;
    });
    expect(status.stopReason).toBe("HOOK_FAILED");
    expect(await process.all()).toEqual([]);
    expect((await process.andon.outbox.queue.status()).counts.ready).toBe(0);

    await process.look();
    await process.look();
    expect(await process.one()).toMatchObject({ type: "HOOK_FAILED_QUEUE_PAUSED", severity: "CRITICAL" });
  });

  test("fires once per stop, not for a stop by hand and not for a failure after the stop", async () => {
    const process = await bench().process();
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "stop-queue" } });
    const fail: (() => void)[] = [];
    await queue.work(() => new Promise((_, reject) => fail.push(() => reject(new Error("no")))));
    await queue.stop(KIM);
    expect(await process.all()).toEqual([]);
    await queue.resume(KIM);

    await queue.addMany(["a", "b"]);
    await eventually("both run", () => fail.length === 2);
    for (const each of fail.splice(0)) each();
    await eventually("both have failed", async () => (await queue.status()).counts.failed === 2);
    expect(await process.one()).toMatchObject({ type: "JOB_FAILED_QUEUE_PAUSED", resolvedAt: null });
  });

  test("resolves with the resume, and the next stop has an alert of its own", async () => {
    const process = await bench().process({ settings: { language: "en" } });
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "stop-queue" } });
    await queue.work(() => {
      throw new Error("no");
    });
    const { id } = await queue.add("a");
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    expect(await process.one()).toMatchObject({
      title: "Job failed - queue paused",
      message:
        'A job of the queue "line" has failed (attempts: 1) and the queue is paused.\nIt has to be handled by hand, and the queue resumed.',
    });
    await queue.retry(id, KIM);
    await queue.resume(KIM);
    const resumed = (await process.all()).at(-1);
    expect(resumed?.resolvedAt).not.toBeNull();

    await eventually("it stops again", async () => (await queue.status()).state === "stopped");
    const [second, first] = await process.all();
    expect(second?.resolvedAt).toBeNull();
    expect(first?.resolvedAt).not.toBeNull();
    expect((await process.alerts.list({ state: "firing" }, 1, 20)).items.map(({ id }) => id)).toEqual([
      second?.id,
    ]);
    expect((await process.alerts.list({ state: "resolved", queue: "line" }, 1, 20)).total).toBe(1);
    expect((await process.alerts.list({ type: "OTHER" }, 1, 20)).total).toBe(0);
  });

  test("fires even if the app's description of the job throws", async () => {
    const process = await bench().process();
    const describe = () => {
      throw new Error("unknown payload");
    };
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "stop-queue" }, describe });
    await queue.work(() => {
      throw new Error("no");
    });
    await queue.add("a", { key: "x" });
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    expect((await queue.status()).stopReason).toBe("JOB_FAILED");
    expect((await process.all()).find(({ severity }) => severity === "CRITICAL")?.details).toMatchObject({
      aggregateId: "x",
    });
  });

  test("does not exist for the outbox itself", async () => {
    const process = await bench().process();
    expect(process.alerts.hooksFor("outbox")).toEqual({});
    await process.andon.outbox.queue.stop(KIM);
    bench().clock.ahead = 2 * 3_600_000;
    await process.look();
    expect(await process.all()).toEqual([]);
  });
});
