import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** What `add` and `addMany` store and return. */
export function describeEnqueue(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "enqueue", (it) => {
    it("stores one job with all that was given, ready to run", async (bench) => {
      const added = await bench
        .queue()
        .add(
          { file: "a.jpg" },
          { keys: ["a", "b"], priority: 7, tenant: "acme", name: "copy", traceId: "trace-1" },
        );
      expect(added).toEqual({ id: added.id, ticket: expect.stringMatching(/^\d+$/), isNew: true, seq: 1 });
      expect(await bench.job(added.id)).toMatchObject({
        id: added.id,
        ticket: added.ticket,
        queue: "line",
        name: "copy",
        tenant: "acme",
        state: "ready",
        keys: ["a", "b"],
        seq: 1,
        priority: 7,
        payload: { file: "a.jpg" },
        attempts: 0,
        cursor: null,
        progress: null,
        result: null,
        runAt: null,
        createdAt: bench.clock.now(),
        startedAt: null,
        finishedAt: null,
        worker: null,
        error: null,
        resolution: null,
        traceId: "trace-1",
        stage: null,
        stages: [],
        outputs: {},
        awaits: null,
        cancelling: null,
      });
    });

    it("fills in the defaults of a job without options", async (bench) => {
      const { id } = await bench.queue().add("x");
      expect(await bench.job(id)).toMatchObject({
        name: "line",
        tenant: "default",
        keys: [],
        seq: null,
        priority: 0,
        traceId: null,
      });
    });

    it("uses the given id, so that a row can refer to the job before it is added", async (bench) => {
      const id = "0198f0a0-0000-7000-8000-00000000beef";
      const queue = bench.queue();
      expect(await queue.add("x", { id })).toMatchObject({ id, isNew: true });
      expect((await bench.job(id)).payload).toBe("x");
      await expect(queue.add("y", { id })).rejects.toThrow();
    });

    it("adds many in the order given, with shared options or with options per payload", async (bench) => {
      const queue = bench.queue<number>();
      const shared = await queue.addMany([1, 2, 3], { key: "k" });
      expect(shared.map((job) => job.seq)).toEqual([1, 2, 3]);
      const each = await queue.addMany([4, 5, 6], (n) => ({ key: n === 5 ? "k" : `own-${n}` }));
      expect(each.map((job) => job.seq)).toEqual([1, 4, 1]);
      expect(await queue.addMany([])).toEqual([]);
      const { counts } = await queue.status();
      expect(counts).toMatchObject({ ready: 3, blocked: 3, scheduled: 0 });
      const ready = (await queue.jobs("ready")).items.map((job) => job.payload);
      expect(ready).toEqual([1, 4, 6]);
    });

    it("runs the higher priority first, and the older first among equals", async (bench) => {
      const queue = bench.queue<string>();
      await queue.addMany(["b1", "a1", "c1", "a2", "b2"], (payload) => ({
        priority: { a: 1_000_000, b: 0, c: -1_000_000 }[payload[0] as "a" | "b" | "c"],
      }));
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      for (let n = 0; n < 5; n++) (await manual.take()).succeed();
      expect(manual.started).toEqual(["a1", "a2", "b1", "b2", "c1"]);
    });

    it("schedules a job by runAt and by delay, and ignores a time that has passed", async (bench) => {
      const queue = bench.queue();
      const now = bench.clock.now();
      const jobs = [
        [await queue.add(1, { runAt: now + 60_001 }), now + 60_001],
        [await queue.add(2, { runAt: new Date(now + 70_002) }), now + 70_002],
        [await queue.add(3, { delay: 80_003 }), now + 80_003],
        [await queue.add(4, { delay: "90s", key: "k" }), now + 90_000],
        [await queue.add(5, { delay: 100_000.4 }), now + 100_000],
      ] as const;
      for (const [{ id, seq }, due] of jobs) {
        expect(seq).toBe(null);
        expect(await bench.job(id)).toMatchObject({ state: "scheduled", runAt: due, seq: null });
      }
      for (const options of [{ runAt: now }, { runAt: now - 5_000 }, { delay: 0 }]) {
        const { id } = await queue.add(0, options);
        expect(await bench.job(id)).toMatchObject({ state: "ready", runAt: null });
      }
    });

    it("returns every kind of JSON unchanged", async (bench) => {
      const queue = bench.queue();
      const payloads = [
        { nested: { list: [1, "two", null, { three: 3.5 }], empty: {} } },
        "text with \u0000, \ud800, 한글, 🦊 and 'quotes' \"of\" $1 ?1 @kind",
        "",
        0,
        -1.5e300,
        true,
        false,
        null,
        [],
        { "": "empty name", "with space": 1 },
        "x".repeat(900_000),
      ];
      const added = await queue.addMany(payloads);
      for (const [index, { id }] of added.entries())
        expect((await bench.job(id)).payload).toEqual(payloads[index]);
      const { id } = await queue.add(undefined);
      expect((await bench.job(id)).payload).toBe(null);
    });

    it("lets the queue's own parser change a payload or refuse it", async (bench) => {
      const queue = bench.andon.queue<{ n: number }>("parsed", undefined, {
        parse(value) {
          const n = Number((value as { n: unknown }).n);
          if (Number.isNaN(n)) throw new Error("n is not a number");
          return { n };
        },
      });
      const { id } = await queue.add({ n: "12" as never });
      expect((await bench.job(id)).payload).toEqual({ n: 12 });
      await expect(queue.add({ n: "twelve" as never })).rejects.toMatchObject({
        code: "PAYLOAD_INVALID",
        status: 400,
        message: expect.stringContaining("n is not a number"),
      });
      expect((await queue.status()).counts.ready).toBe(1);
    });
  });
}
