import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

const DAY_MS = 86_400_000;

/** History is deleted after its retention, except for rows that are still needed. */
export function describeRetention(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "history", (it) => {
    it("is deleted after its retention, and the newest row of the feed stays", async (bench) => {
      const queue = bench.queue<string>({ attempts: 2, keep: { done: "90d" } });
      await queue.work(() => {
        throw new Error("broken");
      });
      const { id } = await queue.add("x");
      await bench.passUntilState(id, "failed");
      await queue.stop(KIM);
      const [stop] = (await queue.stops()).items;
      const stopId = stop?.id as string;
      expect(await bench.andon.attempts(id)).toHaveLength(2);
      expect(await bench.andon.verifyStop(stopId)).toMatchObject({
        holds: true,
        inFeed: true,
        feedKept: true,
      });

      bench.clock.jump(8 * DAY_MS);
      await bench.pass(600_000);
      const kept = await bench.store.read.events(0, 100);
      expect(kept).toHaveLength(1);
      expect(await bench.store.read.lastEventId()).toBe(kept[0]?.id);
      expect(await bench.andon.attempts(id)).toHaveLength(2);
      expect(await bench.andon.job(id)).toMatchObject({ state: "failed", error: { message: "broken" } });

      bench.clock.jump(30 * DAY_MS);
      await bench.pass(600_000);
      expect(await bench.andon.attempts(id)).toEqual([]);
      expect((await bench.andon.audit()).items.length).toBeGreaterThan(0);
      expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true });

      bench.clock.jump(400 * DAY_MS);
      await bench.pass(600_000);
      expect((await queue.stops()).items.map((row) => row.id)).toEqual([stopId]);
      await queue.resume(KIM);
      await bench.pass(600_000);
      expect((await queue.stops()).items).toEqual([]);
    });

    it("that is deleted does not invalidate the certificate of a stop", async (bench) => {
      const queue = bench.queue<string>();
      await queue.work(() => {});
      await queue.stop(KIM);
      const [stop] = (await queue.stops()).items;
      await bench.pass(1_000);
      await queue.resume(KIM);
      bench.clock.jump(8 * DAY_MS);
      await bench.pass(600_000);
      expect(await bench.andon.verifyStop(stop?.id as string)).toMatchObject({
        holds: true,
        inFeed: false,
        feedKept: false,
      });
    });

    it("is deleted in steps, however much of it there is", async (bench) => {
      const queue = bench.queue<string>();
      await queue.status();
      for (let n = 0; n < 2_500; n += 500)
        await bench.store.transaction("test", async (tx) => {
          for (let m = 0; m < 500; m++) tx.event("jobs.done", "line", null, { done: 1 });
        });
      await queue.work(() => {});
      bench.clock.jump(8 * DAY_MS);
      await bench.pass(600_000);
      expect(await bench.store.read.events(0, 10_000)).toHaveLength(1);
    });
  });
}
