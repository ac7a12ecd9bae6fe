import { createHmac } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { type AlertProcess, describeAlerts, eventually, KIM } from "./alert-bench.ts";
import { type Answer, answers, startReceiver } from "./receiver.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiver(...script: Answer[]) {
  const made = await startReceiver(...script);
  closing.push(made.close);
  return made;
}

const webhook = (url: string, more = {}) => ({ type: "webhook", url, name: "ops", ...more });

/** The delivery of an alert to one channel, once it has ended. */
async function ended(process: AlertProcess, id: string, channel = "ops") {
  return eventually(`the delivery to ${channel} ends`, async () => {
    const found = (await process.alerts.show(id)).deliveries.find((delivery) => delivery.channel === channel);
    return (found?.state === "DELIVERED" || found?.state === "FAILED") && found;
  });
}

describeAlerts("the delivery of alerts", (bench) => {
  test("posts the alert as JSON, signed over the bytes that arrive", async () => {
    const ops = await receiver();
    const process = await bench().process({
      settings: { channels: [webhook(ops.url, { secret: "열쇠-s3cret" })] },
    });
    await process.deliver();
    const alert = await process.alerts.test("kim");
    expect(await ended(process, alert.id)).toEqual({
      channel: "ops",
      state: "DELIVERED",
      attempts: 1,
      lastError: null,
    });

    const [got] = ops.received;
    const signature = createHmac("sha256", "열쇠-s3cret")
      .update(got?.body as Buffer)
      .digest("hex");
    expect(got?.headers).toMatchObject({
      "content-type": "application/json",
      "x-andon-signature": `sha256=${signature}`,
    });
    const [, time, second] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(got?.headers["x-andon-signature-v2"]),
    ) as unknown as [string, string, string];
    expect(second).toBe(createHmac("sha256", "열쇠-s3cret").update(`${time}.${got?.body}`).digest("hex"));
    expect(Math.abs(Date.now() / 1_000 - Number(time))).toBeLessThan(300);
    const { deliveries: _, ...facts } = alert;
    const deliveries = [
      {
        channel: "log",
        state: expect.stringMatching(/^(PENDING|DELIVERED)$/),
        attempts: expect.any(Number),
        lastError: null,
      },
      { channel: "ops", state: "PENDING", attempts: 0, lastError: null },
    ];
    expect(ops.bodies()).toEqual([{ ...facts, resolvedAt: null, deliveries, status: "firing" }]);
    expect(facts).toMatchObject({ type: "TEST", severity: "WARNING", title: "시험 알림" });
    expect(facts.resolvedAt).not.toBeNull();
    expect(await process.andon.job(String(got?.headers["x-andon-delivery"]))).toMatchObject({
      queue: "outbox",
    });
  });

  test.each<[string, Answer[], string | null]>([
    ["answers 500 twice", [answers.status(500), answers.status(500)], "the receiver answered 500"],
    ["hangs", [answers.hang], "no end after 400 ms"],
    ["closes the connection", [answers.close], "socket hang up"],
    ["redirects", [answers.status(302, { location: "/elsewhere" })], "the receiver answered 302"],
  ])("is repeated, under the same id, to a receiver that %s", async (_, failures, error) => {
    const ops = await receiver(...failures, answers.status(200));
    const process = await bench().process({ settings: { channels: [webhook(ops.url)] } });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    const attempts = failures.length + 1;
    expect(await ended(process, id)).toMatchObject({ state: "DELIVERED", attempts });
    expect(ops.received).toHaveLength(attempts);
    expect(new Set(ops.received.map(({ headers }) => headers["x-andon-delivery"])).size).toBe(1);
    const bodies = ops
      .bodies()
      .map(({ deliveries, ...rest }) => ({ deliveries, rest: JSON.stringify(rest) }));
    expect(new Set(bodies.map(({ rest }) => rest)).size).toBe(1);
    expect(bodies.map(({ deliveries }) => deliveries[1]?.attempts)).toEqual(bodies.map((_, index) => index));
    expect(ops.received.every(({ path }) => path === "/hook")).toBe(true);
    const job = String(ops.received[0]?.headers["x-andon-delivery"]);
    expect((await process.andon.attempts(job)).map(({ message }) => message)).toContain(error);
  });

  test("does not read a huge answer to its end", async () => {
    const ops = await receiver(answers.huge);
    const process = await bench().process({ settings: { channels: [webhook(ops.url)] } });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    expect(await ended(process, id)).toMatchObject({ state: "DELIVERED", attempts: 1 });
  });

  test("is complete with the receiver's status, however slowly the rest of the answer arrives", async () => {
    const ops = await receiver(answers.endless);
    const process = await bench().process({ settings: { channels: [webhook(ops.url)] } });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    expect(await ended(process, id)).toMatchObject({ state: "DELIVERED", attempts: 1 });
    expect(ops.received).toHaveLength(1);
  });

  test("continues after a restart, under the same id", async () => {
    const ops = await receiver(answers.status(503));
    const settings = { channels: [webhook(ops.url)] };
    const first = await bench().process({ settings, outbox: { attempts: 1_000 } });
    await first.deliver();
    const { id } = await first.alerts.test("kim");
    await eventually("it was tried", () => ops.received.length > 0);
    await eventually("the failure is told", async () =>
      (await first.alerts.show(id)).deliveries.some(({ state }) => state === "RETRYING"),
    );
    await first.andon.close();

    ops.script(answers.status(200));
    const second = await bench().process({ settings, outbox: { attempts: 1_000 } });
    await second.deliver();
    expect(await ended(second, id)).toMatchObject({ state: "DELIVERED" });
    expect(new Set(ops.received.map(({ headers }) => headers["x-andon-delivery"])).size).toBe(1);
  });

  test("to one channel does not wait for another channel that hangs", async () => {
    const [dead, alive] = [await receiver(answers.hang), await receiver()];
    const channels = [webhook(dead.url, { name: "dead" }), webhook(alive.url, { name: "alive" })];
    const process = await bench().process({ settings: { channels }, outbox: { timeout: "1h" } });
    await process.deliver();
    const first = await process.alerts.test("kim");
    const second = await process.alerts.test("kim");
    await ended(process, first.id, "alive");
    await ended(process, second.id, "alive");
    expect(alive.bodies().map(({ id }) => id)).toEqual([first.id, second.id]);
    expect((await process.alerts.show(second.id)).deliveries[1]).toMatchObject({
      channel: "dead",
      state: "PENDING",
    });
  });

  test("that finally failed stays visible after its message is purged, and does not block the next one", async () => {
    const ops = await receiver(answers.status(500));
    const process = await bench().process({
      settings: { channels: [webhook(ops.url)] },
      outbox: { attempts: 2, keep: { done: 0, ended: 0 } },
    });
    await process.deliver();
    const lost = await process.alerts.test("kim");
    const failed = { channel: "ops", state: "FAILED", attempts: 2, lastError: "the receiver answered 500" };
    expect(await ended(process, lost.id)).toEqual(failed);

    ops.script(answers.status(200));
    const next = await process.alerts.test("kim");
    const delivered = { channel: "ops", state: "DELIVERED", attempts: 1, lastError: null };
    expect(await ended(process, next.id)).toEqual(delivered);
    await ended(process, next.id, "log");

    await process.look();
    bench().clock.ahead = 1_000;
    await process.andon.outbox.queue.purge();
    expect(await process.andon.store.query("select id from andon_jobs")).toEqual([]);
    expect((await process.alerts.show(lost.id)).deliveries[1]).toEqual(failed);
    expect((await process.alerts.show(next.id)).deliveries[1]).toEqual(delivered);
  });

  test("of the resolution is made only to channels that want it", async () => {
    const [both, only] = [await receiver(), await receiver()];
    const channels = [
      webhook(both.url, { name: "both", sendResolved: true }),
      webhook(only.url, { name: "only" }),
    ];
    const process = await bench().process({ settings: { channels } });
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "stop-queue" } });
    await process.deliver();
    const added = await queue.add("a");
    await queue.work(() => {
      throw new Error("no");
    });
    await eventually("it stops", async () => (await queue.status()).state === "stopped");
    await queue.skip(added.id, KIM);
    await queue.resume(KIM);
    await eventually("the end arrives", () => both.received.length === 2);
    const { id, resolvedAt } = await process.one();
    expect(both.bodies()).toMatchObject([
      { id, status: "firing", resolvedAt: null },
      { id, status: "resolved", resolvedAt },
    ]);
    await ended(process, id, "only");
    expect(only.bodies()).toMatchObject([{ id, status: "firing" }]);
    expect((await process.one()).deliveries.map(({ channel }) => channel)).toEqual(["both", "log", "only"]);
  });

  test("to Slack is plain text without markup; to the log it is one line", async () => {
    const chat = await receiver();
    const channels = [{ type: "slack", url: `${chat.url}/T0/B0/secret-path` }];
    const process = await bench().process({ settings: { channels, language: "en" } });
    const queue = process.queue("line", { rules: { attempts: 1, onFinalFailure: "stop-queue" } });
    await process.deliver();
    await queue.add("a");
    await queue.work(() => {
      throw new Error("<!channel> a & b");
    });
    const [{ text }] = await eventually("it arrives", () => chat.received.length > 0 && chat.bodies());
    expect(text).toContain("🔴 [CRITICAL] Job failed - queue paused\n");
    expect(text).toContain("queue: line");
    expect(text).toContain("error: &lt;!channel&gt; a &amp; b");

    const { id } = await process.one();
    await ended(process, id, "log");
    const lines = process.logged.filter(({ alert }) => alert !== undefined);
    expect(lines).toMatchObject([
      { level: 50, msg: "Job failed - queue paused", alert: { id, status: "firing" } },
    ]);
    expect(JSON.stringify([process.logged, await process.one()])).not.toContain("secret-path");
  });

  test("to a channel that was removed from the settings ends as failed", async () => {
    const before = await bench().process({ settings: { channels: [webhook("http://127.0.0.1:1/")] } });
    const { id } = await before.alerts.test("kim");
    const after = await bench().process({ outbox: { attempts: 2 } });
    await after.deliver();
    expect(await ended(after, id)).toMatchObject({
      state: "FAILED",
      lastError: "the settings have no channel alert:ops",
    });
  });

  test("is refused to a private address", async () => {
    const ops = await receiver();
    const process = await bench().process({
      settings: { channels: [webhook(ops.url)] },
      outbox: { attempts: 1 },
      isEmbedded: false,
    });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    expect(await ended(process, id)).toMatchObject({
      state: "FAILED",
      lastError: "127.0.0.1 is at 127.0.0.1, which messages may not be sent to (loopback)",
    });
    expect(ops.received).toEqual([]);
  });
});
