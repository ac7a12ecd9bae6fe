import {
  type Andon,
  DestinationDown,
  type Message,
  type QueueHooks,
  type Tx,
  Unretryable,
} from "@andon/engine";
import { describeOn, KIM } from "@andon/testkit/conformance";
import { expect } from "vitest";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

const to = (destination: string, body: unknown, kind = "hook") => ({ destination, kind, body });

/** Sends a message for each stop, resume and hold. */
const alerting = (andon: Andon): QueueHooks => ({
  stopped: async (stop, tx) => {
    await andon.outbox.send(to("ops", { stopped: stop.reason, job: stop.jobId, stop: stop.id }), { tx });
  },
  resumed: async (stop, tx) => {
    await andon.outbox.send(to("ops", { resumed: stop.id, by: stop.resumedBy }), { tx });
  },
  held: async (lane, job, tx) => {
    await andon.outbox.send(
      to("ops", { held: lane.key, code: lane.held?.reason, job: job.id, state: job.state }),
      { tx },
    );
  },
});

/** Delivers all messages of the kind "hook" and returns those received. */
async function receive(andon: Andon): Promise<Message[]> {
  const received: Message[] = [];
  andon.outbox.deliver("hook", (message: Message) => void received.push(message));
  await andon.outbox.work();
  return received;
}

const bodies = (messages: readonly Message[]) => messages.map((message) => message.body);
const waiting = async (andon: Andon) => (await andon.outbox.queue.status()).counts.ready;

describeOn(STORE_KINDS, "outbox", (it) => {
  it("delivers messages in order for each destination", async (bench) => {
    const { outbox } = bench.andon;
    for (let n = 1; n <= 20; n++) for (const destination of ["a", "b"]) await outbox.send(to(destination, n));
    const received = await receive(bench.andon);
    await bench.passUntil("all is delivered", () => received.length === 40);
    for (const destination of ["a", "b"]) {
      const own = received.filter((message) => message.destination === destination);
      expect(bodies(own)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    }
    expect(received[0]).toMatchObject({ kind: "hook", sentAt: expect.any(Number) });
  });

  it("sends if and only if the transaction commits", async (bench) => {
    const { andon } = bench;
    const send = (body: unknown, tx: Tx) => andon.outbox.send(to("a", body), { tx });
    const refused = andon.transaction(async (tx) => {
      await send("rolled back", tx);
      throw new Error("no");
    });
    await expect(refused).rejects.toThrow("no");
    await andon.transaction((tx) => send("committed", tx));
    const received = await receive(andon);
    await bench.passUntil("it is delivered", () => received.length > 0);
    await bench.pass(2_000);
    expect(bodies(received)).toEqual(["committed"]);
  });

  it("retries with the same id, and holds the destination after the last attempt", async (bench) => {
    const { outbox } = bench.andon;
    const tries: Message[] = [];
    let isBack = false;
    outbox.deliver("hook", (message) => {
      tries.push(message as Message);
      if (message.destination === "dead" && !isBack) throw new DestinationDown("refused");
    });
    const dead = await outbox.send(to("dead", 1));
    await outbox.send(to("dead", 2));
    await outbox.send(to("alive", 3));
    await outbox.work();
    // The longest back-off is fifteen minutes.
    for (let n = 0; n < 12; n++) {
      await bench.pass(1_500);
      bench.clock.setWallClockBy(15 * 60_000);
    }
    expect((await bench.job(dead.id)).state).toBe("failed");
    const own = tries.filter((message) => message.destination === "dead");
    expect(own).toHaveLength(12);
    expect(new Set(own.map((message) => message.id))).toEqual(new Set([dead.id]));
    expect((await outbox.queue.status()).state).toBe("open");
    expect((await outbox.queue.lanes({ held: true })).items.map((lane) => lane.key)).toEqual(["dead"]);
    expect(bodies(tries.filter((message) => message.destination === "alive"))).toEqual([3]);
    isBack = true;
    await outbox.queue.retryAll(KIM);
    await bench.passUntil("the rest follows", () => tries.at(-1)?.body === 2);
    expect(bodies(tries).slice(-2)).toEqual([1, 2]);
  });

  it("is not slowed by twenty destinations that hang", async (bench) => {
    const { outbox } = bench.andon;
    const hanging = new Map<string, number>();
    let most = 0;
    const received: unknown[] = [];
    outbox.deliver("hook", async ({ destination, body }, { signal }) => {
      if (destination === "alive") return void received.push(body);
      hanging.set(destination, (hanging.get(destination) ?? 0) + 1);
      most = Math.max(most, ...hanging.values());
      await new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const first = await outbox.send(to("dead-0", 0));
    for (let n = 0; n < 20; n++) for (let m = 1; m < 5; m++) await outbox.send(to(`dead-${n}`, m));
    for (let n = 0; n < 100; n++) await outbox.send(to("alive", n));
    await outbox.work();
    // The clock stands still: no hanging delivery has timed out yet.
    await bench.settled();
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(100);
    expect(hanging.size).toBe(20);
    expect(most).toBe(1);
    await bench.pass(30_000);
    expect((await outbox.queue.jobs("failed")).total).toBe(0);
    expect((await bench.andon.attempts(first.id))[0]).toMatchObject({ code: "TIMEOUT" });
  });

  it("keeps a message that this process cannot deliver for one that can", async (bench) => {
    const { outbox } = bench.andon;
    const sent = await outbox.send(to("a", 1, "mail"));
    const worker = await outbox.work();
    await bench.pass(20_000);
    const job = await bench.job(sent.id);
    expect(job).toMatchObject({ attempts: 0, state: "scheduled" });
    const outcomes = (await bench.andon.attempts(sent.id)).map((attempt) => attempt.outcome);
    expect(new Set(outcomes)).toEqual(new Set(["snoozed"]));
    expect(outcomes.length).toBeLessThan(10);
    await worker.close();
    const there = await bench.another();
    const received: unknown[] = [];
    there.outbox.deliver("mail", ({ body }) => void received.push(body));
    await there.outbox.work();
    await bench.passUntil("the other one delivers it", () => received.length === 1);
  });

  it("refuses an invalid message, and a second deliverer for a kind", async (bench) => {
    const { outbox } = bench.andon;
    await expect(outbox.send({ ...to("a", 1), destinaton: "b" } as never)).rejects.toThrow(
      'Did you mean "destination"?',
    );
    await expect(outbox.send(to("", 1))).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(outbox.send(to("a", 1n))).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
    outbox.deliver("hook", () => {});
    expect(() => outbox.deliver("hook", () => {})).toThrow(/has no deliverer yet/);
  });
});

describeOn(STORE_KINDS, "alerts in the transaction that stops a queue", (it) => {
  it("sends nothing when the stop is rolled back", async (bench) => {
    const { andon } = bench;
    const { stopped } = alerting(andon);
    const queue = bench.queue(
      {},
      {
        hooks: {
          stopped: async (stop, tx) => {
            await stopped?.(stop, tx);
            throw new Error("the alert's table is gone");
          },
        },
      },
    );
    await queue.status();
    await expect(queue.stop(KIM)).rejects.toThrow("the alert's table is gone");
    expect((await queue.status()).state).toBe("open");
    expect((await queue.stops()).total).toBe(0);
    expect(await waiting(andon)).toBe(0);
  });

  it("sends exactly one message when the stop commits, even if the process dies right after", async (bench) => {
    const dying = await bench.another();
    const queue = dying.queue(
      "line",
      { attempts: 1, onFinalFailure: "stop-queue" },
      { hooks: alerting(dying) },
    );
    const { id } = await queue.add("bad", { key: "k" });
    await queue.add("next");
    const stopped = new Promise<void>((resolve) => {
      const off = dying.store.onSignal(({ kind }) => {
        if (kind !== "feed") return;
        off();
        resolve();
      });
    });
    await queue.work(
      (job) => {
        if (job.payload === "bad") throw new Unretryable("broken");
      },
      { places: 1 },
    );
    await stopped;
    await bench.settled();
    const closing = dying.close();
    await bench.pass(1_000);
    await closing;
    const received = await receive(bench.andon);
    await bench.passUntil("both alerts are delivered", () => received.length >= 2);
    await bench.pass(5_000);
    expect(bodies(received)).toEqual([
      { held: "k", code: "Unretryable", job: id, state: "failed" },
      { stopped: "JOB_FAILED", job: id, stop: expect.any(String) },
    ]);
  });

  it("sends one message for a stop by hand and one for its end", async (bench) => {
    const { andon } = bench;
    const queue = bench.queue({}, { hooks: alerting(andon) });
    await queue.status();
    await queue.stop({ actor: "kim", reason: "NAS moves" });
    await queue.stop({ actor: "lee", reason: "again" });
    await queue.resume({ actor: "park" });
    await queue.resume({ actor: "choi" });
    const stop = (await queue.stops()).items[0]?.id;
    const received = await receive(andon);
    await bench.passUntil("both are delivered", () => received.length >= 2);
    await bench.pass(2_000);
    expect(bodies(received)).toEqual([
      { stopped: "NAS moves", job: null, stop },
      { resumed: stop, by: "park" },
    ]);
    const [resumed] = (await andon.audit({ target: "queue:line" })).items;
    expect(resumed).toMatchObject({
      action: "queue.resume",
      before: { state: "stopped", stop },
      after: { state: "open" },
    });
  });

  it("sends a message when all failed jobs are skipped and the queue is resumed", async (bench) => {
    const { andon } = bench;
    const queue = bench.queue({}, { hooks: alerting(andon) });
    await queue.status();
    await queue.stop(KIM);
    await queue.skipAllAndResume(KIM);
    expect((await andon.outbox.queue.lanes()).items).toMatchObject([{ key: "ops", depth: 2 }]);
  });
});
