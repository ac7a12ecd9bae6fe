import { expect, test, vi } from "vitest";
import { describeAlerts, eventually, KIM } from "./alert-bench.ts";

const HOUR = 3_600_000;

describeAlerts("the watcher of alerts", (bench) => {
  test("fires once for too many that wait, under two processes, and resolves when they are fewer", async () => {
    const settings = { waitingAbove: 3 };
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

  test("fires once for a long stop, by hand too, and the resume resolves it", async () => {
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

  test("tells of a stop in a queue that only a program without these hooks knows", async () => {
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

  test("resolves many that are over in batches, each in one transaction, and none that is not", async () => {
    const process = await bench().process();
    const rules = { attempts: 1, onFinalFailure: "hold-lane" as const };
    const queue = process.queue("nas-sync", { rules, heldAlert: "FILE_SYNC_FAILED" });
    const { store } = process.andon;
    await queue.work(() => {
      throw new Error("checksum differs");
    });
    await queue.add("a", { key: "file-1" });
    const held = await eventually("it is held", async () => (await process.all())[0]);
    await store.transaction("forge", (tx) =>
      tx.query(
        `insert into andon_alerts (id, occasion, type, severity, queue, subject, title, message, details, fired_at)
with recursive n (i) as (select 1 union all select i + 1 from n where i < 700)
select 'a' || i, 'held', 'FILE_SYNC_FAILED', 'WARNING', 'nas-sync', 's' || i, '', '', '{}', 0 from n`,
        [],
      ),
    );
    const transactions = vi.spyOn(store, "transaction");
    const firing = async () => (await process.alerts.list({ state: "firing" }, 1, 20)).total;
    await process.look();
    expect(await firing()).toBe(201);
    await process.look();
    const left = (await process.alerts.list({ state: "firing" }, 1, 20)).items;
    expect(left.map(({ id }) => id)).toEqual([held.id]);
    const resolving = transactions.mock.calls.filter(([verb]) => verb.startsWith("resolve"));
    expect(resolving).toHaveLength(2);
  });

  test("sees that a held file goes on: one alert per failed job, and a new one for the next", async () => {
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

  test("looks by itself until it is closed", async () => {
    const process = await bench().process({ settings: { waitingAbove: 0 } });
    const queue = process.queue("line");
    await queue.status();
    const watching = process.alerts.start();
    await queue.add("a");
    await eventually("it fires", async () => (await process.all()).length === 1);
    await watching.close();
  });

  test("outlives a store that is away, and tells it once", async () => {
    const process = await bench().process({ settings: { waitingAbove: 0 } });
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
