import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

const DAY = 86_400_000;

/** Ended jobs are deleted after their retention; failed ones never are. */
export function describePurge(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "purge", (it) => {
    it("deletes ended jobs older than the queue's retention, with their dependent rows", async (bench) => {
      const queue = bench.queue<string>({
        attempts: 1,
        onFinalFailure: (_, job) => (job.name === "skip" ? "skip" : "hold-lane"),
        keep: { done: "7d", ended: "30d" },
      });
      const worker = await queue.work((job) => {
        if (job.payload !== "good") throw new Error("no");
      });
      const done = await queue.add("good", { idempotencyKey: "i", key: "k" });
      const skipped = await queue.add("bad", { name: "skip" });
      const failed = await queue.add("bad", { key: "f" });
      const resolved = await queue.add("bad", { key: "r" });
      const cancelled = await queue.add("later", { delay: "1h" });
      await bench.reaches(done.id, "done");
      await bench.reaches(skipped.id, "skipped");
      await bench.reaches(failed.id, "failed");
      await bench.reaches(resolved.id, "failed");
      await queue.skip(resolved.id, KIM);
      await queue.cancel(cancelled.id, KIM);
      await worker.close();
      const there = async () => {
        const jobs = { done, skipped, failed, resolved, cancelled };
        const found: string[] = [];
        for (const [name, { id }] of Object.entries(jobs)) if (await bench.andon.job(id)) found.push(name);
        return found;
      };
      bench.clock.jump(7 * DAY - 1);
      expect(await queue.purge()).toBe(0);
      bench.clock.jump(10_000);
      expect(await queue.purge()).toBe(1);
      expect(await there()).toEqual(["skipped", "failed", "resolved", "cancelled"]);
      expect((await queue.status()).counts).toMatchObject({
        done: 1,
        skipped: 1,
        failed: 1,
        resolved: 1,
        cancelled: 1,
      });
      expect(await queue.jobs("done")).toMatchObject({ total: 0, items: [] });
      expect(await queue.add("again", { idempotencyKey: "i", delay: "1h" })).toMatchObject({ isNew: true });
      bench.clock.jump(23 * DAY);
      expect(await queue.purge()).toBe(3);
      expect(await there()).toEqual(["failed"]);
      expect((await queue.status()).counts).toMatchObject({
        done: 1,
        skipped: 0,
        failed: 1,
        resolved: 0,
        cancelled: 0,
      });
      const left = await bench.andon.transaction((tx) =>
        tx.query("select count(*) as n from andon_attempts"),
      );
      expect(left).toEqual([{ n: 1 }]);
      bench.clock.jump(1_000 * DAY);
      expect(await queue.purge()).toBe(0);
      expect((await bench.job(failed.id)).state).toBe("failed");
    });

    it("keeps the newest claim, so that a later stop still knows it", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d" } });
      const worker = await queue.work(() => {});
      const { id } = await queue.add("x");
      await bench.reaches(id, "done");
      await worker.close();
      bench.clock.jump(2 * DAY);
      expect(await queue.purge()).toBe(1);
      await queue.stop(KIM);
      const [stop] = (await queue.stops()).items;
      expect(stop?.lastClaim).toBeGreaterThan(0);
      expect((await bench.andon.verifyStop(stop?.id as string)).holds).toBe(true);
    });

    it("finds done jobs after any number of old claims that finished nothing", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d" } });
      await bench.andon.transaction((tx) =>
        tx.query(
          `insert into andon_claim_log (queue, epoch, worker, at, claimed, done)
with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500) select $1, 1, 'w', $2, 1, 0 from n`,
          [queue.name, bench.clock.now()],
        ),
      );
      const worker = await queue.work(() => {});
      await bench.reaches((await queue.add("x")).id, "done");
      await worker.close();
      bench.clock.jump(2 * DAY);
      expect(await queue.purge()).toBe(1);
      const left = await bench.andon.transaction((tx) =>
        tx.query("select count(*) as n from andon_claim_log"),
      );
      expect(left).toEqual([{ n: 1 }]);
    });

    it("reads only the oldest entries of the claim log, however many young ones there are", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d" } });
      const now = bench.clock.now();
      // Entries whose times do not follow their ids: only a purge that reads past the young ones would find the old one
      // after them.
      for (const [count, at] of [
        [1_000, now],
        [1, now - 2 * DAY],
      ])
        await bench.andon.transaction((tx) =>
          tx.query(
            `insert into andon_claim_log (queue, epoch, worker, at, claimed, done, finished)
with recursive n (i) as (select 1 union all select i + 1 from n where i < $3) select $1, 1, 'w', $2, 0, 1, '0' from n`,
            [queue.name, at, count],
          ),
        );
      await queue.purge();
      const left = await bench.andon.transaction((tx) =>
        tx.query("select count(*) as n from andon_claim_log"),
      );
      expect(left).toEqual([{ n: 1_001 }]);
    });

    it("skips entries of a clock that was ahead, and deletes them with the next old one", async (bench) => {
      const queue = bench.queue<string>({ keep: { done: "1d" } });
      const entries = () =>
        bench.andon.transaction((tx) => tx.query("select id from andon_claim_log order by id"));
      const worker = await queue.work(() => {});
      bench.clock.setWallClockBy(365 * DAY);
      const ahead = await queue.add("of next year");
      await bench.reaches(ahead.id, "done");
      // More entries than one pass handles, of each kind: claims, completions, both.
      for (const [claimed, done, finished] of [
        [1, 0, null],
        [0, 1, "0"],
        [1, 1, "0"],
      ])
        await bench.andon.transaction((tx) =>
          tx.query(
            `insert into andon_claim_log (queue, epoch, worker, at, claimed, done, finished)
with recursive n (i) as (select 1 union all select i + 1 from n where i < 1100) select $1, 1, 'w', $2, $3, $4, $5 from n`,
            [queue.name, bench.clock.now(), claimed, done, finished],
          ),
        );
      bench.clock.setWallClockBy(-365 * DAY);
      const behind = await queue.add("of today");
      await bench.reaches(behind.id, "done");
      await worker.close();
      const before = await entries();
      expect(await queue.purge()).toBe(0);
      expect(await entries()).toEqual(before);
      bench.clock.jump(2 * DAY);
      expect(await queue.purge()).toBe(2);
      for (const { id } of [ahead, behind]) expect(await bench.andon.job(id)).toBeUndefined();
      // The newest claim stays.
      expect(await entries()).toHaveLength(1);
    });

    it("deletes more jobs than one transaction takes", async (bench) => {
      const queue = bench.queue<number>({ keep: { done: 0.4 } });
      const worker = await queue.work(() => {}, { places: 200 });
      await queue.addMany(Array.from({ length: 1_300 }, (_, n) => n));
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 1_300);
      await worker.close();
      bench.clock.jump(10);
      expect(await queue.purge()).toBe(1_300);
      expect(await queue.jobs("done")).toMatchObject({ total: 0, items: [] });
    });
  });
}
