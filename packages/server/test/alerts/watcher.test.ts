import { expect, test } from "vitest";
import { describeAlerts, eventually, KIM } from "./alert-bench.ts";

const HOUR = 3_600_000;

describeAlerts("the watcher of alerts", (bench) => {
  test("fires once over two processes when too many jobs wait, and resolves when fewer wait", async () => {
    const settings = { waitingAbove: 3, waitingFor: 0 };
    const [one, two] = [await bench().process({ settings }), await bench().process({ settings })];
    const queue = one.queue("line");
    two.queue("line");
    await queue.addMany(["a", "b", "c"]);
    await one.look();
    expect(await one.all()).toEqual([]);

    const { id } = await queue.add("d");
    await Promise.all([one.look(), two.look(), one.look(), two.look()]);
    expect(await two.one()).toMatchObject({
      type: "QUEUE_WAITING_EXCEEDED",
      severity: "WARNING",
      details: { queue: "line", waiting: 4, waitingAbove: 3 },
      resolvedAt: null,
    });
    expect((await one.andon.outbox.queue.status()).counts.ready).toBe(1);

    await queue.cancel(id, KIM);
    await Promise.all([one.look(), two.look()]);
    expect((await one.one()).resolvedAt).not.toBeNull();

    await queue.add("e");
    await two.look();
    expect((await one.alerts.list({ state: "firing" }, 1, 20)).total).toBe(1);
    expect(await one.all()).toHaveLength(2);
  });

  test("fires once when jobs wait and the last worker is gone, and resolves when a worker is back", async () => {
    const settings = { unworkedLongerThan: "30s" };
    const [watching, worker] = [await bench().process({ settings }), await bench().process({ settings })];
    const queue = watching.queue("line");
    await queue.add("never worked yet");
    bench().clock.ahead = HOUR;
    await watching.look();
    expect(await watching.all()).toEqual([]);

    await worker.queue("line").work(() => {});
    await eventually("it is done", async () => (await queue.status()).counts.done === 1);
    await worker.andon.close();
    await queue.add("nobody is left");
    await watching.look();
    expect(await watching.all()).toEqual([]);
    bench().clock.ahead = 2 * HOUR;
    await Promise.all([watching.look(), watching.look()]);
    expect(await watching.one()).toMatchObject({
      type: "QUEUE_WITHOUT_WORKER",
      severity: "CRITICAL",
      title: "큐를 처리하는 워커가 없음",
      details: { queue: "line", waiting: 1, lastWorkerGoneAt: expect.any(String) },
      resolvedAt: null,
    });
    await queue.work(() => {});
    await watching.look();
    expect((await watching.one()).resolvedAt).not.toBeNull();
  });

  test("fires once for a long stop, also by hand, and the resume resolves it", async () => {
    const process = await bench().process();
    const queue = process.queue("line");
    await queue.stop(KIM);
    await process.look();
    expect(await process.all()).toEqual([]);
    bench().clock.ahead = HOUR + 1_000;
    await process.look();
    await process.look();
    expect(await process.one()).toMatchObject({
      type: "QUEUE_PAUSED_LONG_TIME",
      severity: "WARNING",
      title: "큐 장시간 정지",
      details: { queue: "line", pauseReason: "looked into it", pausedBy: "kim" },
    });
    await queue.resume(KIM);
    expect((await process.one()).resolvedAt).not.toBeNull();
    await process.look();
    expect(await process.all()).toHaveLength(1);
  });

  test("resolves a stop that a process without these hooks has resumed", async () => {
    const process = await bench().process();
    const rules = { attempts: 1, onFinalFailure: "stop-queue" as const };
    const queue = process.queue("line", { rules });
    await queue.add("a");
    await queue.work(() => {
      throw new Error("no");
    });
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    const other = (await bench().process()).queue("line", { rules, hasHooks: false });
    await other.resume(KIM);
    expect((await process.one()).resolvedAt).toBeNull();
    await process.look();
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("fires for a stop in a queue that only a program without these hooks defines", async () => {
    const process = await bench().process({ settings: { language: "en" } });
    const { andon } = await bench().process();
    const queue = andon.queue<string>("mails", { mode: "serial", attempts: 1 });
    await queue.work(() => {
      throw new Error("refused");
    });
    await queue.add("a");
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    await process.look();
    expect(await process.one()).toMatchObject({
      type: "JOB_FAILED_QUEUE_PAUSED",
      details: { queue: "mails", error: "refused" },
      resolvedAt: null,
    });
    await queue.resume(KIM);
    await process.look();
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("fires once for a queue that is degraded for 30 s, and resolves when it is open", async () => {
    const settings = { language: "en" };
    const [one, two] = [await bench().process({ settings }), await bench().process({ settings })];
    const rules = {
      attempts: 9,
      backoff: { delay: 3_600_000 },
      probe: true,
      classify: () => "destination" as const,
    };
    const queue = one.queue("line", { rules });
    two.queue("line", { rules });
    let isSick = true;
    await queue.work(() => {
      if (isSick) throw new Error("unreachable");
    });
    const { id } = await queue.add("a");
    await eventually("it is degraded", async () => (await queue.status()).state === "degraded");
    await one.look();
    expect(await one.all()).toEqual([]);
    bench().clock.ahead = 31_000;
    await Promise.all([one.look(), two.look()]);
    await one.look();
    expect(await two.one()).toMatchObject({
      type: "QUEUE_DEGRADED",
      severity: "WARNING",
      title: "Queue degraded - destination failing",
      details: { queue: "line", probeJobId: id },
      resolvedAt: null,
    });
    isSick = false;
    await queue.runNow(id, KIM);
    await eventually("it is open", async () => (await queue.status()).state === "open");
    await two.look();
    expect((await one.one()).resolvedAt).not.toBeNull();
  });

  test("fires for too many waiting jobs only after the configured time", async () => {
    const process = await bench().process({ settings: { waitingAbove: 1 } });
    const queue = process.queue("line");
    await queue.addMany(["a", "b", "c"]);
    await queue.addMany(["later"], { delay: "1h" });
    await process.look();
    expect(await process.all()).toEqual([]);
    bench().clock.ahead = 5_100;
    await process.look();
    expect(await process.one()).toMatchObject({ type: "QUEUE_WAITING_EXCEEDED", details: { waiting: 3 } });
  });

  test("fires at its first pass if the configured time is 0, although the clock advances during the pass", async () => {
    const process = await bench().process({ settings: { waitingAbove: 1, waitingFor: 0 } });
    await process.queue("line").addMany(["a", "b"]);
    let ticks = 0;
    bench().clock.now = () => Date.now() + ++ticks;
    await process.look();
    expect(await process.one()).toMatchObject({ type: "QUEUE_WAITING_EXCEEDED", details: { waiting: 2 } });
  });

  test("resolves the alert of a released lane, and fires a new one for the next failure", async () => {
    const process = await bench().process();
    const rules = { attempts: 1, onFinalFailure: "hold-lane" as const };
    const queue = process.queue("nas-sync", { rules, heldAlert: "FILE_SYNC_FAILED" });
    const first = await queue.add("a", { keys: ["file-1", "path-1"] });
    const second = await queue.add("b", { key: "file-1" });
    await queue.work(() => {
      throw new Error("checksum differs");
    });
    await eventually("it is held", async () => (await process.all()).length > 0);
    expect(await process.one()).toMatchObject({
      type: "FILE_SYNC_FAILED",
      severity: "WARNING",
      title: "파일 동기화 실패 - 파일 보류됨",
      message: '파일 동기화가 1회 실패하여 "file-1"의 작업이 보류되었습니다. 다른 파일에는 영향이 없습니다.',
      details: { syncEventId: first.id, lane: "file-1", error: "checksum differs", pendingJobCount: 1 },
    });
    await process.look();
    expect((await process.one()).resolvedAt).toBeNull();

    await queue.skip(first.id, KIM);
    await eventually("the next holds it", async () => (await process.all()).length === 2);
    await process.look();
    const [next, gone] = await process.all();
    expect(next).toMatchObject({ resolvedAt: null, details: { syncEventId: second.id } });
    expect(gone?.resolvedAt).not.toBeNull();

    await queue.skip(second.id, KIM);
    await process.look();
    expect((await process.alerts.list({ state: "firing" }, 1, 20)).total).toBe(0);
  });

  test("makes passes by itself until it is closed", async () => {
    const process = await bench().process({ settings: { waitingAbove: 0, waitingFor: 0 } });
    const queue = process.queue("line");
    await queue.status();
    const watching = process.alerts.start();
    await queue.add("a");
    await eventually("it fires", async () => (await process.all()).length === 1);
    await watching.close();
  });

  test("continues after a store outage, which it logs once", async () => {
    const process = await bench().process({ settings: { waitingAbove: 0, waitingFor: 0 } });
    const queue = process.queue("line");
    await queue.add("a");
    const { store } = process.andon;
    const { query } = store;
    let looks = 0;
    store.query = async () => {
      looks++;
      throw new Error("connection refused");
    };
    const watching = process.alerts.start();
    await eventually("it has looked twice", () => looks >= 2);
    store.query = query;
    await eventually("it watches again", async () => (await process.all()).length === 1);
    await watching.close();
    expect(process.logged.filter(({ msg }) => msg === "alerts cannot be watched")).toHaveLength(1);
    expect(process.logged.some(({ msg }) => msg === "alerts are watched again")).toBe(true);
  });
});
