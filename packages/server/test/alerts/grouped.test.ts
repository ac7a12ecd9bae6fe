import { expect, test } from "vitest";
import { type AlertProcess, describeAlerts, eventually, KIM } from "./alert-bench.ts";

const rules = { attempts: 1, onFinalFailure: "hold-lane" as const };
const FIVE_MINUTES = 300_000;

/** A queue whose jobs fail with their payload as the error, each in its own lane. */
async function failing(process: AlertProcess, payloads: readonly string[], lanes = "lane") {
  const queue = process.queue("line", { rules });
  const worker = await queue.work((job) => {
    throw new Error(`cannot store "${job.id}": ${job.payload}`);
  });
  let number = 0;
  const add = (more: readonly string[]) => queue.addMany(more, () => ({ key: `${lanes}-${++number}` }));
  const jobs = await add(payloads);
  await eventually("all have failed", async () => (await queue.status()).counts.failed === payloads.length);
  return { queue, jobs, add, worker };
}

function messages({ andon }: AlertProcess): Promise<number> {
  return andon.outbox.queue.status().then(({ counts }) => counts.ready + counts.blocked);
}

describeAlerts("alerts of many failures", (bench) => {
  test("are one per queue and cause, with one message each, and resolve with the last job", async () => {
    const process = await bench().process({ settings: { language: "en" } });
    const payloads = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? "disk full" : "denied"));
    const { queue, jobs } = await failing(process, payloads);
    const open = await process.all();
    expect(open.map(({ type, details }) => [type, details.count]).sort()).toEqual([
      ["LANE_HELD", 20],
      ["LANE_HELD", 40],
    ]);
    for (const { message } of open) expect(message).toContain("In the whole queue: 60 lanes, 2 causes.");
    const denied = open.find(({ details }) => details.count === 40);
    expect(denied?.message).toContain("40 lanes are held");
    expect(await messages(process)).toBe(2);

    const ofDenied = jobs.filter((_, index) => payloads[index] === "denied");
    for (const { id } of ofDenied.slice(1)) await queue.skip(id, KIM);
    expect(await process.alerts.show(denied?.id as string)).toMatchObject({
      resolvedAt: null,
      details: { count: 40, unsettled: 1 },
    });
    await queue.skip(ofDenied[0]?.id as string, KIM);
    const ended = await process.alerts.show(denied?.id as string);
    expect(ended).toMatchObject({ details: { count: 40, unsettled: 0 } });
    expect(ended.resolvedAt).not.toBeNull();
    await process.look();
    expect((await process.alerts.list({ state: "firing" }, 1, 20)).total).toBe(1);
  });

  test("report more failures at most once in 5 minutes over all processes", async () => {
    const [one, two] = [await bench().process(), await bench().process()];
    two.queue("line", { rules });
    const { queue, add } = await failing(one, ["denied"]);
    await add(["denied", "denied"]);
    await eventually("all have failed", async () => (await queue.status()).counts.failed === 3);
    await one.look();
    expect(await messages(one)).toBe(1);
    bench().clock.ahead = FIVE_MINUTES + 1_000;
    await Promise.all([one.look(), two.look(), one.look(), two.look()]);
    expect(await messages(one)).toBe(2);
    await two.look();
    expect(await messages(one)).toBe(2);
    expect((await one.one()).details.count).toBe(3);
  });

  test("resolve when a program without these hooks has settled every job", async () => {
    const process = await bench().process();
    const { jobs } = await failing(process, ["denied", "denied", "denied"]);
    const other = (await bench().process()).queue("line", { rules, hasHooks: false });
    await other.skip(jobs[0]?.id as string, KIM);
    await process.look();
    expect(await process.one()).toMatchObject({ details: { unsettled: 2 }, resolvedAt: null });
    for (const { id } of jobs.slice(1)) await other.skip(id, KIM);
    await process.look();
    expect((await process.one()).resolvedAt).not.toBeNull();
  });

  test("resolve when the last failed job is deleted", async () => {
    const process = await bench().process();
    const { queue, jobs } = await failing(process, ["denied"]);
    await queue.deleteJob(jobs[0]?.id as string, KIM);
    expect((await process.one()).resolvedAt).not.toBeNull();
  });
});

describeAlerts("an acknowledged or snoozed alert", (bench) => {
  test("sends no updates once acknowledged, and leaves an audit row", async () => {
    const process = await bench().process();
    const { queue, add, jobs } = await failing(process, ["denied"]);
    const { id } = await process.one();
    await process.alerts.acknowledge(id, "kim", "on it");
    await add(["denied"]);
    await eventually("both have failed", async () => (await queue.status()).counts.failed === 2);
    bench().clock.ahead = FIVE_MINUTES + 1_000;
    await process.look();
    expect(await messages(process)).toBe(1);
    expect(await process.one()).toMatchObject({
      details: { count: 2 },
      acknowledged: { by: "kim", reason: "on it", at: expect.any(String) },
      snoozed: null,
    });
    expect((await process.andon.audit({ action: "alert.acknowledge" })).items).toMatchObject([
      { actor: "kim", target: `alert:${id}`, reason: "on it", after: { acknowledgedBy: "kim" } },
    ]);
    for (const job of (await process.andon.search({ queue: "line", state: "failed" })).items)
      await queue.skip(job.id, KIM);
    expect(jobs).toHaveLength(1);
    await expect(process.alerts.acknowledge(id, "kim")).rejects.toMatchObject({ code: "ALERT_RESOLVED" });
  });

  test("sends nothing while it is snoozed, and is sent again afterwards", async () => {
    const settings = { channels: [{ type: "webhook", url: "http://127.0.0.1:9/", sendResolved: true }] };
    const process = await bench().process({ settings });
    const { queue, add, jobs } = await failing(process, ["denied"]);
    const { id } = await process.one();
    const sent = await messages(process);
    await process.alerts.snooze(id, "kim", { for: 3_600_000 });
    await add(["denied"]);
    await eventually("both have failed", async () => (await queue.status()).counts.failed === 2);
    bench().clock.ahead = FIVE_MINUTES + 1_000;
    await process.look();
    expect(await messages(process)).toBe(sent);
    expect((await process.one()).snoozed).toMatchObject({ by: "kim" });
    bench().clock.ahead = 3_700_000;
    await process.look();
    expect(await messages(process)).toBe(2 * sent);
    expect((await process.one()).snoozed).toBeNull();

    await process.alerts.snooze(id, "kim", { until: bench().clock.now() + 60_000 });
    for (const job of (await process.andon.search({ queue: "line", state: "failed" })).items)
      await queue.skip(job.id, KIM);
    expect(jobs).toHaveLength(1);
    // Its resolution is sent anyway, to channels that want it.
    expect(await messages(process)).toBe(2 * sent + 1);
    expect((await process.andon.audit({ action: "alert.snooze" })).total).toBe(2);
    await expect(process.alerts.snooze("nothing", "kim", { for: 1 })).rejects.toMatchObject({
      code: "ALERT_NOT_FOUND",
    });
  });

  test("cannot be snoozed until a time in the past", async () => {
    const process = await bench().process();
    await failing(process, ["denied"]);
    const { id } = await process.one();
    await expect(process.alerts.snooze(id, "kim", { until: 1 })).rejects.toMatchObject({
      code: "ALERT_SNOOZE_PAST",
    });
  });
});

describeAlerts("an alert in the reader's language", (bench) => {
  test("is built from the stored type and details, with the error in both languages", async () => {
    const process = await bench().process({ settings: { language: "ko" } });
    const queue = process.queue("line", { rules: { ...rules, timeout: 20 } });
    await queue.work(
      (_job, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
    );
    await queue.add("a", { key: "k" });
    const { id } = await eventually("it fires", async () => (await process.all())[0]);
    expect(await process.alerts.show(id, "en")).toMatchObject({
      title: "Job failed - lane held",
      details: { error: "TIMEOUT: no end after 20 ms" },
    });
    expect(await process.alerts.show(id, "ko")).toMatchObject({
      title: "작업 실패 - 레인 보류됨",
      details: { error: "TIMEOUT: 20ms 안에 끝나지 않았습니다" },
      links: { console: null, runbook: "docs/ko/runbooks/failed-jobs.md" },
    });
    expect((await process.alerts.show(id)).title).toBe("작업 실패 - 레인 보류됨");
  });
});
