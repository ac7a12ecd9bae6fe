import { expect, test } from "vitest";
import { describeAlerts, eventually, KIM } from "./alert-bench.ts";

const rules = { attempts: 1, onFinalFailure: "hold-lane" as const };

describeAlerts("the alert of a held lane", (bench) => {
  test("resolves with the retry, and the next failure of the job has a new alert with new messages", async () => {
    const process = await bench().process();
    const queue = process.queue("line", { rules });
    await queue.work(() => {
      throw new Error("no");
    });
    const { id } = await queue.add("a", { key: "k" });
    await eventually("it is held", async () => (await process.all()).length === 1);
    const first = await process.one();
    bench().clock.ahead = 3_000;

    // No watcher runs in between: the job may fail again before its next pass.
    await queue.retry(id, KIM);
    await eventually("it is held again", async () => (await process.all()).length === 2);
    const [second, ended] = await process.all();
    expect(ended).toMatchObject({ id: first.id, firedAt: first.firedAt, resolvedAt: expect.any(String) });
    const job = await process.andon.job(id);
    expect(second).toMatchObject({
      type: "LANE_HELD",
      resolvedAt: null,
      details: { jobId: job?.ticket, syncEventId: id },
      deliveries: [{ channel: "log", state: "PENDING" }],
    });
    expect(first.details.jobId).not.toBe(job?.ticket);
    expect(Date.parse(second?.firedAt as string)).toBeGreaterThan(Date.parse(first.firedAt));
  });

  test.each(["retry", "skip"] as const)("is resolved in the transaction of the %s", async (decision) => {
    const process = await bench().process();
    const queue = process.queue("line", { rules });
    const worker = await queue.work(() => {
      throw new Error("no");
    });
    const { id } = await queue.add("a", { key: "k" });
    await eventually("it is held", async () => (await process.all()).length === 1);
    await worker.close();
    await queue[decision](id, KIM);
    expect((await process.one()).resolvedAt).not.toBeNull();
  });
});
