import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** Works one queue in two processes and notes when each job starts, in milliseconds from now. */
async function noteStarts(
  bench: Bench,
  rules: Parameters<Bench["queue"]>[0],
  places: number,
): Promise<number[]> {
  const began = bench.clock.now();
  const starts: number[] = [];
  const queues = [bench.queue(rules), (await bench.another()).queue("line", rules)];
  for (const queue of queues) await queue.work(() => void starts.push(bench.clock.now() - began), { places });
  return starts;
}

/** The limiter: at most `max` starts in any stretch of `duration`, over the whole fleet. */
export function describeRate(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "the limiter", (it) => {
    it("starts as many as it may, and the next ones by itself when the rate allows them", async (bench) => {
      const rules = { limiter: { max: 3, duration: "10s" } };
      await (await bench.another()).queue("line", rules).addMany(Array(10).fill("x"));
      const starts = await noteStarts(bench, rules, 5);
      await bench.pass(9_999);
      expect(starts).toEqual([0, 0, 0]);
      await bench.pass(20_001);
      expect(starts).toEqual([0, 0, 0, 10_000, 10_000, 10_000, 20_000, 20_000, 20_000, 30_000]);
    });

    it("counts any stretch, not fixed ones", async (bench) => {
      const rules = { limiter: { max: 3, duration: "10s" } };
      const producer = (await bench.another()).queue("line", rules);
      const starts = await noteStarts(bench, rules, 5);
      for (const [wait, jobs] of [
        [0, 1],
        [4_000, 2],
        [5_000, 4],
      ] as const) {
        await bench.pass(wait);
        await producer.addMany(Array(jobs).fill("x"));
      }
      await bench.passUntil("all have started", () => starts.length === 7);
      for (const [n, start] of starts.entries()) {
        const third = starts[n - 3];
        if (third !== undefined) expect(start - third).toBeGreaterThanOrEqual(10_000);
      }
      expect(starts[3]).toBe((starts[0] as number) + 10_000);
    });

    it("counts retries as starts too", async (bench) => {
      const rules = { limiter: { max: 1, duration: "10s" }, backoff: { delay: "1s" }, attempts: 2 };
      const queue = bench.queue(rules);
      const began = bench.clock.now();
      const starts: number[] = [];
      await queue.addMany(["fails", "waits"]);
      await queue.work((job) => {
        starts.push(bench.clock.now() - began);
        if (job.payload === "fails" && starts.length === 1) throw new Error("once");
      });
      await bench.pass(25_000);
      expect(starts).toEqual([0, 10_000, 20_000]);
    });

    it("remembers starts whose jobs are purged", async (bench) => {
      const queue = bench.queue({ limiter: { max: 2, duration: "1h" }, keep: { done: "1s" } });
      const starts: unknown[] = [];
      await queue.work((job) => void starts.push(job.payload));
      for (const name of ["first", "second"]) {
        const { id } = await queue.add(name);
        await bench.passUntilState(id, "done");
        await bench.pass(3_000);
      }
      await queue.purge();
      await queue.addMany(["third", "fourth"]);
      await bench.pass(60_000);
      expect(starts).toEqual(["first", "second"]);
      bench.clock.jump(3_600_000);
      expect(await queue.purge()).toBe(2);
    });

    it("stands beside a concurrency", async (bench) => {
      const queue = bench.queue({ limiter: { max: 4, duration: "10s" }, concurrency: 2 });
      await queue.addMany([1, 2, 3, 4, 5, 6]);
      const hands = bench.hands();
      await queue.work(hands.handler, { places: 6 });
      for (const piece of await hands.takeMany(2)) piece.succeed();
      const second = await hands.takeMany(2);
      for (const piece of second) piece.succeed();
      await bench.pass(9_000);
      expect(hands.started).toEqual([1, 2, 3, 4]);
      await bench.pass(1_000);
      expect(hands.started).toEqual([1, 2, 3, 4, 5, 6]);
    });
  });
}
