import { Andon, type Store } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** How much longer than 10 s claims count, since handlers start later than their claims. */
const SLACK_MS = 200;

/** Asserts at most `max` starts in any period of this duration. */
function expectPaced(starts: readonly number[], max: number, duration: number): void {
  for (const [n, start] of starts.entries()) {
    const before = starts[n - max];
    if (before !== undefined) expect(start - before, `start ${n}`).toBeGreaterThanOrEqual(duration);
  }
}

/** The same store, which delays the answers to its first claims by these times. */
function answeringLate(bench: Bench, lateBy: number[]): Store {
  const claim: Store["finishAndClaim"] = async (request) => {
    const result = await bench.store.finishAndClaim(request);
    const ms = result.claims.length > 0 ? lateBy.shift() : undefined;
    if (ms !== undefined) await new Promise<void>((resolve) => void bench.clock.after(ms, resolve));
    return result;
  };
  return new Proxy(bench.store, {
    get: (store, name) => {
      if (name === "finishAndClaim") return claim;
      if (name === "close") return async () => {};
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
}

/** Works a queue in two processes and records when each job starts, in milliseconds from now. */
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

/** The limiter: at most `max` starts in any period of `duration`, over the whole fleet. */
export function describeRate(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "the limiter", (it) => {
    it("starts as many as the rate allows, and the next ones as soon as it allows them", async (bench) => {
      const rules = { limiter: { max: 3, duration: "10s" } };
      await (await bench.another()).queue("line", rules).addMany(Array(10).fill("x"));
      const starts = await noteStarts(bench, rules, 5);
      await bench.pass(9_999);
      expect(starts).toEqual([0, 0, 0]);
      await bench.pass(21_001);
      const [second, third, fourth] = [1, 2, 3].map((n) => n * (10_000 + SLACK_MS));
      expect(starts).toEqual([0, 0, 0, second, second, second, third, third, third, fourth]);
    });

    it("limits every period, not fixed windows", async (bench) => {
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
      expect(starts[3]).toBe((starts[0] as number) + 10_000 + SLACK_MS);
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
      expect(starts).toEqual([0, 10_000 + SLACK_MS, 20_000 + 2 * SLACK_MS]);
    });

    it("counts starts whose jobs are purged", async (bench) => {
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

    it("applies together with a concurrency", async (bench) => {
      const queue = bench.queue({ limiter: { max: 4, duration: "10s" }, concurrency: 2 });
      await queue.addMany([1, 2, 3, 4, 5, 6]);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 6 });
      for (const call of await manual.takeMany(2)) call.succeed();
      const second = await manual.takeMany(2);
      for (const call of second) call.succeed();
      await bench.pass(9_000);
      expect(manual.started).toEqual([1, 2, 3, 4]);
      await bench.pass(1_000 + SLACK_MS);
      expect(manual.started).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it("continues soon after the clock was set back, and not faster than allowed", async (bench) => {
      const rules = { limiter: { max: 3, duration: "10s" } };
      await (await bench.another()).queue("line", rules).addMany(Array(9).fill("x"));
      const starts: number[] = [];
      const began = bench.clock.monotonic();
      await bench.queue(rules).work(() => void starts.push(bench.clock.monotonic() - began), { places: 5 });
      await bench.pass(5_000);
      bench.clock.setWallClockBy(-300_000);
      await bench.passUntil("all have started", () => starts.length === 9, 60_000);
      expectPaced(starts, 3, 10_000);
    });

    it("counts from the start of the handlers if the answer to a claim is late", async (bench) => {
      const rules = { limiter: { max: 3, duration: "10s" } };
      const queue = bench.queue(rules);
      await queue.addMany(Array(12).fill("x"));
      // Within the slack; beyond it; so late that other processes may no longer count it.
      const lateBy = [100, 4_000, 11_000];
      const starts: number[] = [];
      const began = bench.clock.monotonic();
      const note = () => void starts.push(bench.clock.monotonic() - began);
      const slow = new Andon(answeringLate(bench, lateBy), { onError: (error) => bench.errors.push(error) });
      await slow.queue("line", rules).work(note, { places: 3 });
      await bench.pass(0);
      await (await bench.another()).queue("line", rules).work(note, { places: 3 });
      await bench.passUntil("all have started", () => starts.length === 12, 120_000);
      expect(lateBy.length).toBeLessThanOrEqual(1);
      const closing = slow.close();
      await bench.pass(1_000);
      await closing;
      expectPaced(starts, 3, 10_000);
    });
  });
}
