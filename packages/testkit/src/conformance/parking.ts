import { Park } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const RULES = { onFinalFailure: "hold-lane", concurrency: 1 } as const;

/** A queue whose handler waits for the event named by its job's payload, and returns the event's payload. */
async function waiting(bench: Bench, options: { until?: string; rules?: object } = {}) {
  const queue = bench.queue<string>({ ...RULES, ...options.rules });
  await queue.work((job, ctx) => {
    if (job.payload === "plain") return "done";
    const { payload } = ctx.arrival(job.payload) ?? ctx.park(job.payload, { until: options.until });
    return payload;
  });
  return queue;
}

/** A job waits for an external event without occupying a place. */
export function describeParking(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "parking", (it) => {
    it("frees the place, keeps the lane, and continues with the event's payload", async (bench) => {
      const queue = await waiting(bench);
      const [parked, behind] = await queue.addMany(["event", "plain"], { key: "k" });
      const other = await queue.add("plain");
      await bench.reaches(parked?.id as string, "parked");
      await bench.reaches(other.id, "done");
      expect((await bench.job(behind?.id as string)).state).toBe("blocked");
      expect((await queue.status()).counts).toMatchObject({ parked: 1, blocked: 1, running: 0 });
      expect((await bench.job(parked?.id as string)).awaits).toEqual({ event: "event", until: null });
      expect(await bench.andon.arrive("event", { by: "kim" })).toEqual({ isNew: true });
      expect(await bench.passUntilState(parked?.id as string, "done")).toMatchObject({
        result: { by: "kim" },
        awaits: null,
        attempts: 0,
      });
      await bench.reaches(behind?.id as string, "done");
      expect(await bench.andon.attempts(parked?.id as string)).toEqual([]);
    });

    it("does not lose an arrival before the park", async (bench) => {
      const queue = await waiting(bench);
      await bench.andon.arrive("early", 7);
      const { id } = await queue.add("early");
      expect(await bench.passUntilState(id, "done")).toMatchObject({ result: 7 });
    });

    it("uses the first of two arrivals of an event", async (bench) => {
      const queue = await waiting(bench);
      const { id } = await queue.add("event");
      await bench.reaches(id, "parked");
      expect(await bench.andon.arrive("event", "first")).toEqual({ isNew: true });
      expect(await bench.andon.arrive("event", "second")).toEqual({ isNew: false });
      expect(await bench.passUntilState(id, "done")).toMatchObject({ result: "first" });
      const events = (await bench.store.read.jobEvents(id, 100)).map(({ type }) => type);
      expect(events).toEqual(["job.parked", "job.arrived"]);
    });

    it("resumes all jobs that wait for the same event", async (bench) => {
      const queue = await waiting(bench);
      const added = await queue.addMany(["event", "event", "event"]);
      for (const { id } of added) await bench.passUntilState(id, "parked");
      await bench.andon.arrive("event", 1);
      for (const { id } of added) await bench.passUntilState(id, "done");
    });

    it("joins the caller's transaction: an arrival that is rolled back did not happen", async (bench) => {
      const queue = await waiting(bench);
      const { id } = await queue.add("event");
      await bench.reaches(id, "parked");
      const failing = bench.andon.transaction(async (tx) => {
        expect(await bench.andon.arrive("event", "undone", { tx })).toEqual({ isNew: true });
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      await bench.pass(5_000);
      expect((await bench.job(id)).state).toBe("parked");
      await bench.andon.transaction((tx) => bench.andon.arrive("event", "kept", { tx }));
      expect(await bench.passUntilState(id, "done")).toMatchObject({ result: "kept" });
    });

    it("joins a transaction of the caller's own client, and blocks nobody while that is open", async (bench) => {
      const queue = await waiting(bench);
      const { id } = await queue.add("event");
      await bench.reaches(id, "parked");
      await bench.place.ownTransaction(bench.url, async ({ tx }) => {
        await bench.andon.arrive("event", "own", { tx });
        if (bench.kind.name === "postgres") {
          const other = await queue.add("plain");
          await bench.reaches(other.id, "done");
          await queue.stop(KIM);
          await queue.resume(KIM);
          expect((await bench.job(id)).state).toBe("parked");
        }
        return "commit";
      });
      bench.store.signal({ kind: "timer" });
      expect(await bench.passUntilState(id, "done")).toMatchObject({ result: "own" });
    });

    it("fails as PARK_EXPIRED without an arrival in time, and a retry parks it again", async (bench) => {
      const queue = await waiting(bench, { until: "10s" });
      const [parked, behind] = await queue.addMany(["event", "plain"], { key: "k" });
      const id = parked?.id as string;
      const { awaits } = await bench.reaches(id, "parked");
      expect(awaits?.until).toBe(bench.clock.now() + 10_000);
      expect(await bench.andon.why(id)).toMatchObject({
        rule: "job.parked-until",
        facts: { event: "event", until: awaits?.until },
      });
      await bench.pass(9_000);
      expect((await bench.job(id)).state).toBe("parked");
      expect(await bench.passUntilState(id, "failed")).toMatchObject({
        attempts: 0,
        awaits: null,
        error: { code: "PARK_EXPIRED" },
      });
      expect((await bench.job(behind?.id as string)).state).toBe("blocked");
      await queue.retry(id, KIM);
      await bench.passUntilState(id, "parked");
      await bench.andon.arrive("event", "late");
      expect(await bench.passUntilState(id, "done")).toMatchObject({ result: "late" });
    });

    it("keeps an arrival after the expiry for the retry", async (bench) => {
      const queue = await waiting(bench, { until: "1s" });
      const { id } = await queue.add("event");
      await bench.passUntilState(id, "failed");
      await bench.andon.arrive("event", "too late");
      await queue.retry(id, KIM);
      expect(await bench.passUntilState(id, "done")).toMatchObject({ result: "too late" });
    });

    it("stops the queue and holds the lane if the policy for the expiry is stop-queue", async (bench) => {
      const queue = await waiting(bench, { until: "1s", rules: { onFinalFailure: "stop-queue" } });
      const { id } = await queue.add("event", { key: "k" });
      await bench.passUntilState(id, "failed");
      expect(await queue.status()).toMatchObject({ state: "stopped", stopJobId: id });
      expect((await queue.lanes({ held: true })).items).toMatchObject([
        { key: "k", held: { kind: "failure" } },
      ]);
    });

    it("ends in exactly one of arrival and expiry when both happen at once", async (bench) => {
      const queue = await waiting(bench, { until: "1s", rules: { concurrency: 20 } });
      const added = await queue.addMany(Array.from({ length: 12 }, (_, n) => `event-${n}`));
      for (const { id } of added) await bench.reaches(id, "parked");
      const arriving = added.map((_, n) => bench.andon.arrive(`event-${n}`, n));
      await bench.pass(1_000);
      await Promise.all(arriving);
      await bench.pass(2_000);
      for (const { id } of added) {
        const { state, error } = await bench.job(id);
        expect([state, error?.code ?? null]).toEqual(
          state === "done" ? ["done", null] : ["failed", "PARK_EXPIRED"],
        );
      }
    });

    it("loses no arrival while its job parks", async (bench) => {
      const queue = bench.queue<string>({ concurrency: 40 });
      const arriving: Promise<unknown>[] = [];
      await queue.work((job, ctx) => {
        const arrival = ctx.arrival(job.payload);
        if (arrival) return arrival.payload;
        arriving.push(bench.andon.arrive(job.payload, job.payload));
        throw new Park(job.payload, { until: "1h" });
      });
      const added = await queue.addMany(Array.from({ length: 40 }, (_, n) => `event-${n}`));
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === added.length);
      await Promise.all(arriving);
    });

    it("can be cancelled, and lets the next of its lane through", async (bench) => {
      const queue = await waiting(bench);
      const [parked, behind] = await queue.addMany(["event", "plain"], { key: "k" });
      await bench.reaches(parked?.id as string, "parked");
      expect(await queue.cancel(parked?.id as string, KIM)).toEqual({ outcome: "cancelled" });
      await bench.reaches(behind?.id as string, "done");
      expect(await bench.andon.arrive("event")).toEqual({ isNew: true });
      await bench.pass(3_000);
      expect(await bench.job(parked?.id as string)).toMatchObject({ state: "cancelled", awaits: null });
    });

    it("waits for the end of a stop or a hold that began while it was parked", async (bench) => {
      const queue = await waiting(bench);
      const held = await queue.add("a", { key: "k" });
      const free = await queue.add("b");
      await bench.passUntilState(held.id, "parked");
      await bench.passUntilState(free.id, "parked");
      await queue.hold("k", KIM);
      await queue.stop(KIM);
      await bench.andon.arrive("a", 1);
      await bench.andon.arrive("b", 2);
      await bench.passUntilState(held.id, "blocked");
      await bench.passUntilState(free.id, "ready");
      await queue.resume(KIM);
      await bench.passUntilState(free.id, "done");
      expect((await bench.job(held.id)).state).toBe("blocked");
      await queue.release("k", KIM);
      expect(await bench.passUntilState(held.id, "done")).toMatchObject({ result: 1 });
    });

    it("frees the place of its stage, and takes one again when it continues", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "image", concurrency: 1 }, { name: "video" }] });
      await queue.work({
        image: (job, ctx) =>
          job.payload === "waits" ? (ctx.arrival("upload") ?? ctx.park("upload")).payload : "made",
        video: (job) => job.outputs.image,
      });
      const [waits, passes] = await queue.addMany(["waits", "passes"]);
      expect(await bench.passUntilState(passes?.id as string, "done")).toMatchObject({ result: "made" });
      expect(await bench.andon.stages(waits?.id as string)).toMatchObject([
        { name: "image", status: "parked" },
      ]);
      await bench.andon.arrive("upload", "picture");
      expect(await bench.passUntilState(waits?.id as string, "done")).toMatchObject({ result: "picture" });
    });

    it("deletes arrivals after their retention", async (bench) => {
      const queue = await waiting(bench);
      await queue.add("plain");
      await bench.andon.arrive("nobody waits", 1);
      const kept = () => bench.store.query("select event from andon_arrivals");
      expect(await kept()).toHaveLength(1);
      const before = bench.clock.now();
      await bench.store.transaction("test", (tx) => tx.dropHistory("arrivals", before, 10));
      expect(await kept()).toHaveLength(1);
      await bench.store.transaction("test", (tx) => tx.dropHistory("arrivals", before + 1, 10));
      expect(await kept()).toHaveLength(0);
    });

    it("refuses an invalid event, payload or time", async (bench) => {
      for (const event of ["", "x".repeat(1_001), 7, "a\u0000b"])
        await expect(bench.andon.arrive(event as string)).rejects.toMatchObject({ code: "INVALID_OPTION" });
      await expect(bench.andon.arrive("x", () => {})).rejects.toMatchObject({ code: "PAYLOAD_INVALID" });
      expect(() => new Park("x", { until: "tomorrow" })).toThrow(TypeError);
      expect(() => new Park("")).toThrow(TypeError);
    });
  });
}
