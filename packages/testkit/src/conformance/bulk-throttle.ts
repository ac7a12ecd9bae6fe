import { bulk } from "@andon/engine";
import { expect } from "vitest";
import { BulkSource } from "./bulk-source.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Records when chunks are committed, by the test's clock. */
function commitTimes(bench: Bench, source: BulkSource): { at: number; items: number }[] {
  const times: { at: number; items: number }[] = [];
  source.inWrite = (chunk) => void times.push({ at: bench.clock.now(), items: chunk.length });
  return times;
}

const itemsIn = (times: readonly { at: number; items: number }[], from: number, to: number) =>
  times.reduce((sum, { at, items }) => (at >= from && at < to ? sum + items : sum), 0);

/** The speed of bulk jobs (C7). */
export function describeBulkThrottle(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "the throttle", (it) => {
    it("keeps a maximum rate within 5 % in every minute, for any size of chunks", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100_000);
      const times = commitTimes(bench, source);
      const options = source.options({ chunkSize: 1_000, throttle: { maxPerSecond: 20 } });
      // Only the number of items matters here, so they are not written.
      await queue.work(bulk({ ...options, write: (_, rows) => source.inWrite(rows) }));
      const begunAt = bench.clock.now();
      await queue.add("walk");
      await bench.pass(130_000);
      for (let from = begunAt; from <= begunAt + 65_000; from += 500) {
        const items = itemsIn(times, from, from + 60_000);
        expect(items).toBeLessThanOrEqual(20 * 60 * 1.05);
        expect(items).toBeGreaterThanOrEqual(20 * 60 * 0.95);
      }
      expect(itemsIn(times, begunAt, begunAt + 130_000)).toBeLessThanOrEqual(20 * 130);
    });

    it("pauses after each chunk, and applies a change during a pause", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      const times = commitTimes(bench, source);
      await queue.work(source.handler({ throttle: { pauseMs: "1h" } }));
      const { id } = await queue.add("walk");
      await bench.pass(10_000);
      expect(times).toHaveLength(1);
      const changed = await queue.throttle(id, { pauseMs: 500 }, KIM, { noun: "bulk" });
      expect(changed).toEqual({ pauseMs: 500, maxPerSecond: null });
      await bench.pass(5_000);
      expect(times.length).toBeGreaterThan(5);
      const [, , third, fourth] = times;
      expect((fourth?.at ?? 0) - (third?.at ?? 0)).toBe(500);
      await bench.passUntilState(id, "done");
      const { items } = await bench.andon.audit({ target: `job:${id}` });
      expect(items).toMatchObject([
        { action: "bulk.throttle", before: { pauseMs: 3_600_000 }, after: { pauseMs: 500 } },
      ]);
    });

    it("keeps an operator's setting over attempts and a resume, until it is removed", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 40);
      const { id } = await queue.add("walk");
      await queue.throttle(id, { maxPerSecond: 5 }, KIM);
      await queue.work(source.handler({ throttle: { pauseMs: 100, maxPerSecond: 1_000 } }));
      await bench.pass(2_100);
      expect(await queue.bulkState(id)).toMatchObject({
        processed: 10,
        throttle: { pauseMs: 100, maxPerSecond: 5 },
      });
      await queue.abort(id, KIM);
      await bench.passUntilState(id, "aborted");
      await queue.resumeJob(id, KIM);
      await bench.reaches(id, "running");
      expect((await queue.bulkState(id))?.throttle.maxPerSecond).toBe(5);
      expect(await queue.throttle(id, { maxPerSecond: null }, KIM)).toEqual({
        pauseMs: 100,
        maxPerSecond: null,
      });
      await bench.pass(3_000);
      expect((await bench.job(id)).state).toBe("done");
    });

    it("keeps one maximum rate for all jobs of the queue over two processes", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 2_000);
      const times = commitTimes(bench, source);
      const options = source.options({ chunkSize: 30, queueMaxPerSecond: 40 });
      const handler = bulk({ ...options, write: (_, rows) => source.inWrite(rows) });
      await queue.work(handler, { places: 2 });
      await (await bench.another()).queue("line").work(handler, { places: 2 });
      const begunAt = bench.clock.now();
      const jobs = await queue.addMany(["a", "b", "c"]);
      await bench.pass(60_000);
      const items = itemsIn(times, begunAt, begunAt + 60_000);
      expect(items).toBeLessThanOrEqual(40 * 60 * 1.05);
      expect(items).toBeGreaterThanOrEqual(40 * 60 * 0.95);
      for (const { id } of jobs) expect((await queue.bulkState(id))?.processed).toBeGreaterThan(300);
    });

    it("slows down while the database is slow, and reports it", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 200);
      const times: number[] = [];
      let slow = 300;
      source.inWrite = () => {
        times.push(bench.clock.now());
        bench.clock.jump(slow);
      };
      await queue.work(source.handler({ maxCommitMs: 100 }));
      const { id } = await queue.add("walk");
      await bench.pass(5_000);
      expect(times).toHaveLength(4);
      expect(await bench.andon.why(id)).toMatchObject({
        rule: "job.slowed",
        facts: { average: 300, limit: 100 },
      });
      expect(await queue.bulkState(id)).toMatchObject({ slowed: { averageMs: 300, limitMs: 100 } });
      slow = 0;
      await bench.passUntilState(id, "done");
      expect(await source.written(id)).toEqual(source.upTo(200));
    });
  });
}
