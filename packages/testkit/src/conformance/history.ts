import type { HistoryPoint, QueueHistory } from "@andon/contract";
import { RECENT_MINUTES, type RecentEnds, recentEnds } from "@andon/engine";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The figures of a queue by the minute and by the hour. */
export function describeHistory(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "history of a queue", (it) => {
    it("counts what was added, done and failed in the minute it happened", async (bench) => {
      const queue = bench.queue<number>({
        attempts: 3,
        onFinalFailure: "hold-lane",
        backoff: { delay: 1_000 },
      });
      const began = minuteOf(bench);
      await queue.work((job) => {
        if (job.payload === 0) throw new Error("broken");
      });
      await queue.addMany([1, 2, 3, 4]);
      const { id } = await queue.add(0);
      await bench.passUntilState(id, "failed");
      bench.clock.jump(5 * MINUTE_MS - (bench.clock.now() % MINUTE_MS));
      await queue.addMany([5, 6]);
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 6);
      const { points } = await queue.history({ from: began });
      expect(points[0]).toMatchObject({ at: began, added: 5, done: 4 });
      expect(sums(points)).toMatchObject({ added: 7, done: 6, failed: 1, attemptsFailed: 3 });
      expect(points.at(-1)).toMatchObject({ at: minuteOf(bench), added: 2, done: 2, waiting: 0, running: 0 });
      const gaps = points.slice(2, -1);
      for (const gap of gaps)
        expect(gap).toMatchObject({ added: 0, done: 0, waitP50: null, runP95: null, waiting: 0, running: 0 });
      expect(points.map(({ at }) => at)).toEqual(points.map((_, n) => began + n * MINUTE_MS));
    });

    it("has 60 points if only an end is given, also if that is the end of a step", async (bench) => {
      const queue = bench.queue<number>();
      const end = minuteOf(bench) - 10 * MINUTE_MS;
      for (const [to, last] of [
        [end, end - MINUTE_MS],
        [end + 1, end],
      ] as const) {
        const { points } = await queue.history({ to });
        expect([points.length, points.at(-1)?.at]).toEqual([60, last]);
      }
      const day = await queue.history({ from: end - HOUR_MS, to: end });
      expect([day.points.length, day.points[0]?.at]).toEqual([60, end - HOUR_MS]);
    });

    it("is exact before a merge, and the same after it", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany([1, 2, 3]);
      const before = await queue.history();
      expect(sums(before.points)).toMatchObject({ added: 3, done: 0 });
      await bench.store.compact();
      await bench.store.compact();
      expect(await queue.history()).toEqual(before);
      expect(sums((await queue.history({ step: "1h" })).points)).toMatchObject({ added: 3 });
    });

    it("gives how long jobs waited and ran, within a tenth", async (bench) => {
      const queue = bench.queue<number>({ mode: "serial", lease: "1h" });
      const manual = bench.manualHandler();
      await queue.addMany([1, 2]);
      bench.clock.jump(30_000);
      await queue.work(manual.handler);
      for (let n = 0; n < 2; n++) {
        const call = await manual.take();
        bench.clock.jump(400);
        call.succeed();
      }
      await bench.passUntil("both are done", async () => (await queue.status()).counts.done === 2);
      await bench.pass(12_000);
      const times = (await queue.history()).points.filter(({ waitP50 }) => waitP50 !== null);
      expect(times.length).toBeGreaterThan(0);
      for (const { waitP50, waitP95 } of times) {
        expect(within(waitP50, 30_000)).toBe(true);
        expect(within(waitP95, 30_400)).toBe(true);
      }
      const ran = (await queue.history()).points.filter(({ runP50 }) => runP50 !== null);
      for (const { runP50, runP95 } of ran) {
        expect(within(runP50, 400)).toBe(true);
        expect(within(runP95, 400)).toBe(true);
      }
      expect(ran.length).toBeGreaterThan(0);
    });

    it("has samples only for times at which a process ran", async (bench) => {
      const other = await bench.another();
      const queue = other.queue<number>("line", { timeout: "1h" });
      const looking = bench.queue<number>();
      await looking.addMany([1, 2]);
      const began = minuteOf(bench);
      expect((await looking.history({ from: began - 3 * MINUTE_MS })).points[0]).toMatchObject({
        waiting: null,
        running: null,
      });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      await eventually("one runs", () => manual.started.length === 1);
      await bench.pass(3 * MINUTE_MS);
      const { points } = await looking.history({ from: began });
      for (const point of points) expect(point).toMatchObject({ waiting: 1, running: 1 });
      manual.letGo();
      await bench.passUntil("both are done", async () => (await looking.status()).counts.done === 2);
      await closed(bench, other);
      const left = minuteOf(bench) + MINUTE_MS;
      bench.clock.jump(10 * MINUTE_MS);
      const after = (await looking.history({ from: left })).points;
      for (const point of after) expect(point).toMatchObject({ waiting: null, running: null });
    });

    it("is kept for a week by the minute and for a year by the hour", async (bench) => {
      const queue = bench.queue<number>();
      await queue.work(() => {});
      await queue.addMany([1, 2, 3]);
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 3);
      const at = minuteOf(bench) - MINUTE_MS;
      const range = { from: at, to: at + 3 * MINUTE_MS };
      bench.clock.jump(8 * DAY_MS);
      await bench.pass(600_000);
      expect(sums((await queue.history(range)).points).added).toBe(0);
      const hours = { from: at - HOUR_MS, to: at + 2 * HOUR_MS, step: "1h" } as const;
      expect(sums((await queue.history(hours)).points)).toMatchObject({ added: 3, done: 3 });
      bench.clock.jump(360 * DAY_MS);
      await bench.pass(600_000);
      expect(sums((await queue.history(hours)).points).added).toBe(0);
      expect((await bench.store.read.historyTotals(["line"])).get("line")).toMatchObject({
        added: 3,
        done: 3,
      });
    });

    it("of all queues gives what ended in each minute of the last hour, merged or not", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "hold-lane" });
      const idle = bench.andon.queue<number>("idle");
      await idle.add(1);
      await queue.work((job) => {
        if (job.payload < 0) throw new Error("broken");
      });
      const ended = async (count: number) => {
        const { counts } = await queue.status();
        return counts.done + counts.failed === count;
      };
      bench.clock.jump(MINUTE_MS - (bench.clock.now() % MINUTE_MS));
      await queue.addMany([1, 2, -1]);
      await bench.passUntil("three have ended", () => ended(3));
      const merged = minuteOf(bench);
      await bench.store.compact();
      bench.clock.jump(2 * MINUTE_MS);
      await queue.addMany([3, 4, 5, -2, -3]);
      await bench.passUntil("all have ended", () => ended(8));
      const { from, queues } = await recentEnds(bench.store);
      expect(queues.map((each) => each.queue)).toEqual(["line"]);
      const [line] = queues as [RecentEnds];
      expect([line.done.length, line.failed.length]).toEqual([RECENT_MINUTES, RECENT_MINUTES]);
      const first = (merged - from) / MINUTE_MS;
      expect([line.done[first], line.failed[first]]).toEqual([2, 1]);
      expect([line.done.at(-1), line.failed.at(-1)]).toEqual([3, 2]);
      bench.clock.jump(58 * MINUTE_MS);
      const later = (await recentEnds(bench.store)).queues[0] as RecentEnds;
      expect(total(later.done) + total(later.failed)).toBe(5);
      bench.clock.jump(10 * MINUTE_MS);
      expect((await recentEnds(bench.store)).queues).toEqual([]);
    });

    it("refuses ranges that are too long or end before they begin", async (bench) => {
      const queue = bench.queue<number>();
      const now = bench.clock.now();
      await expect(queue.history({ from: now - 20 * DAY_MS })).rejects.toMatchObject({
        code: "HISTORY_TOO_LONG",
      });
      await expect(queue.history({ from: now, to: now - 1 })).rejects.toMatchObject({
        code: "HISTORY_RANGE",
      });
      await expect(queue.history({ step: "5m" as never })).rejects.toMatchObject({ code: "INVALID_OPTION" });
      const from = now - (now % HOUR_MS);
      expect((await queue.history({ from: from - HOUR_MS, to: from })).points).toHaveLength(60);
      expect((await queue.history()).points).toHaveLength(60);
      expect((await queue.history({ from: now + HOUR_MS })).points).toEqual([]);
    });

    it("is deleted with its queue", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany([1, 2]);
      await bench.store.compact();
      await queue.stop({ actor: "kim" });
      await bench.andon.deleteQueue("line", { actor: "kim", reason: "not needed" });
      const rows = await bench.store.query<{ n: number }>("select count(*) as n from andon_history");
      expect(Number(rows[0]?.n)).toBe(0);
    });
  });
}

function minuteOf(bench: Bench): number {
  const now = bench.clock.now();
  return now - (now % MINUTE_MS);
}

function sums(points: QueueHistory["points"]) {
  const sum = (member: "added" | "done" | "failed" | "attemptsFailed") =>
    points.reduce((total: number, point: HistoryPoint) => total + point[member], 0);
  return {
    added: sum("added"),
    done: sum("done"),
    failed: sum("failed"),
    attemptsFailed: sum("attemptsFailed"),
  };
}

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function within(shown: number | null, exact: number): boolean {
  return shown !== null && Math.abs(shown - exact) <= exact / 10;
}

async function closed(bench: Bench, andon: Bench["andon"]): Promise<void> {
  let isOpen = true;
  const closing = andon.close().finally(() => {
    isOpen = false;
  });
  for (let tries = 0; isOpen && tries < 100; tries++) await bench.pass(1_000);
  await closing;
}
